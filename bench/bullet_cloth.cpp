// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

#include "bullet_cloth.h"

#include <BulletSoftBody/btSoftBody.h>

#include <memory>
#include <new>
#include <vector>

struct BulletCloth {
    BulletCloth(const Net* net, const double* gravity, double (*now)(void*));

    const Net* net;
    double (*now)(void*);
    btSoftBodyWorldInfo world;
    std::unique_ptr<btSoftBody> body;
    std::vector<double> positions;
};

namespace {

btVector3 vector_at(const double* x) { return {btScalar(x[0]), btScalar(x[1]), btScalar(x[2])}; }

}  // namespace

BulletCloth::BulletCloth(const Net* cloth, const double* gravity, double (*clock)(void*))
    : net(cloth), now(clock), positions(3 * size_t(net->vertex_count)) {
    std::vector<btVector3> places;
    std::vector<btScalar> masses;
    for (int i = 0; i < net->vertex_count; i++) {
        places.push_back(vector_at(net->positions + 3 * i));
        masses.push_back(net->pinned[i] ? 0 : btScalar(net->masses[i]));
    }
    world.m_gravity = vector_at(gravity);
    world.air_density = 0;
    body.reset(new btSoftBody(&world, net->vertex_count, places.data(), masses.data()));
    for (int e = 0; e < net->spring_count; e++)
        body->appendLink(net->springs[e].vertices[0], net->springs[e].vertices[1]);
    body->m_materials[0]->m_kLST = 1;
    body->m_cfg.collisions = 0;
    // as Bullet's helper for triangle meshes has it
    body->randomizeConstraints();
    // rest lengths are those of now, not of the first step
    body->updateConstants();
    body->m_bUpdateRtCst = false;
}

BulletCloth* create_bullet_cloth(const Net* net, const double gravity[3],
                                 double (*now)(void* user)) {
    try {
        return new BulletCloth(net, gravity, now);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void destroy_bullet_cloth(BulletCloth* cloth) { delete cloth; }

void place_bullet_cloth(BulletCloth* cloth, const double* positions) {
    if (!positions) positions = cloth->net->positions;
    for (int i = 0; i < cloth->body->m_nodes.size(); i++) {
        btSoftBody::Node& node = cloth->body->m_nodes[i];
        node.m_x = node.m_q = vector_at(positions + 3 * i);
        node.m_v = node.m_f = btVector3(0, 0, 0);
    }
}

double take_bullet_step(BulletCloth* cloth, double dt, int iterations, double damping) {
    cloth->body->m_cfg.piterations = iterations;
    cloth->body->m_cfg.kDP = btScalar(damping);
    cloth->body->predictMotion(btScalar(dt));
    double start = cloth->now(nullptr);
    cloth->body->solveConstraints();
    return cloth->now(nullptr) - start;
}

const double* bullet_positions(BulletCloth* cloth) {
    for (int i = 0; i < cloth->body->m_nodes.size(); i++)
        for (int c = 0; c < 3; c++)
            cloth->positions[3 * size_t(i) + size_t(c)] = double(cloth->body->m_nodes[i].m_x[c]);
    return cloth->positions.data();
}
