// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// Guards two-way coupling with a rigid-body engine, Bullet, as docs/attach.md has it: a crate that
// hangs on cloth and a ball that falls into it, lighter and heavier than the cloth. They come to
// rest with the force of their weight, and energy does not rise.

#include <btBulletDynamicsCommon.h>

#include <memory>
#include <vector>

extern "C" {
#include "test.h"
#include "weft/weft_mesh.h"
}

static const double DT = 1.0 / 60, GRAVITY = 9.81;
static const int CELLS = 20, VERTICES = (CELLS + 1) * (CELLS + 1);

// A sheet, level about the origin, held along two sides; where it catches something, along all
// four, and finer: cloth feels the friction of a ball where its edges are a quarter of the radius.
struct Sheet {
    WeftMesh mesh = {};
    WeftModel* model = nullptr;
    WeftState* state = nullptr;
    WeftStepDef step = weft_default_step_def();
    double mass = 0;

    Sheet(const WeftBodyDef& body, WeftContact contact) {
        WeftGridDef grid = weft_default_grid_def();
        grid.columns = grid.rows = CELLS;
        grid.width = grid.height = contact == WEFT_CONTACT_NONE ? 1 : 0.5;
        CHECK(weft_make_grid(&grid, nullptr, &mesh, nullptr) == WEFT_OK);
        std::vector<int> pins;
        for (int i = 0; i < mesh.vertex_count; i++) {
            mesh.positions[3 * i] -= grid.width / 2;
            mesh.positions[3 * i + 2] += grid.height / 2;
            bool sides = i % (CELLS + 1) % CELLS == 0, ends = i / (CELLS + 1) % CELLS == 0;
            if (sides || (ends && contact != WEFT_CONTACT_NONE)) pins.push_back(i);
        }
        WeftClothDef cloth = weft_default_cloth_def();
        weft_use_mesh(&cloth, &mesh);
        cloth.pins = pins.data();
        cloth.pin_count = (int)pins.size();
        cloth.fabric.stretch_damping = 0.01;
        cloth.fabric.mass_damping = 0.5;
        WeftModelDef def = weft_default_model_def();
        def.cloths = &cloth, def.cloth_count = 1;
        def.bodies = &body, def.body_count = 1;
        def.contact = contact;
        CHECK(weft_create_model(&def, &model, nullptr) == WEFT_OK);
        CHECK(weft_create_state(model, &state, nullptr) == WEFT_OK);
        for (int i = 0; i < VERTICES; i++) mass += weft_masses(model)[i];
        step.dt = DT;
        step.forces = true;
        step.stretch_tolerance = 0;  // energies are those of the fabric as it is
    }
    ~Sheet() {
        weft_destroy_state(state);
        weft_destroy_model(model);
        weft_destroy_mesh(&mesh);
    }
    Sheet(const Sheet&) = delete;
    Sheet& operator=(const Sheet&) = delete;

    double energy() const {
        WeftMeasure measure;
        CHECK(weft_measure(state, step.gravity, &measure) == WEFT_OK);
        return measure.total;
    }
};

// One rigid body in a world of its own.
struct Rigid {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    std::unique_ptr<btCollisionShape> shape;
    std::unique_ptr<btRigidBody> body;

    Rigid(btCollisionShape* of, double mass, btVector3 position) : shape(of) {
        btVector3 inertia(0, 0, 0);
        shape->calculateLocalInertia((btScalar)mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info((btScalar)mass, nullptr, of, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(position);
        body.reset(new btRigidBody(info));
        body->setActivationState(DISABLE_DEACTIVATION);
        world.setGravity(btVector3(0, (btScalar)-GRAVITY, 0));
        world.addRigidBody(body.get());
    }
    ~Rigid() { world.removeRigidBody(body.get()); }
    Rigid(const Rigid&) = delete;
    Rigid& operator=(const Rigid&) = delete;

    // Where it would be after a step if only its weight acted.
    btTransform ahead() const {
        btTransform to;
        btVector3 v = body->getLinearVelocity() + btVector3(0, (btScalar)(-GRAVITY * DT), 0);
        btTransformUtil::integrateTransform(body->getWorldTransform(), v,
                                            body->getAngularVelocity(), (btScalar)DT, to);
        return to;
    }
    void push(const double force[3], const btVector3& arm) {
        body->applyForce(btVector3((btScalar)force[0], (btScalar)force[1], (btScalar)force[2]),
                         arm);
    }
    void advance() { world.stepSimulation((btScalar)DT, 1, (btScalar)DT); }
    double energy() const {
        double m = 1 / (double)body->getInvMass();
        const btVector3 v = body->getLinearVelocity(), w = body->getAngularVelocity();
        const btMatrix3x3 inertia = body->getInvInertiaTensorWorld().inverse();
        return m / 2 * (double)v.length2() + (double)w.dot(inertia * w) / 2 +
               m * GRAVITY * (double)body->getWorldTransform().getOrigin().y();
    }
};

static void move_body(Sheet& sheet, const btTransform& to) {
    const btQuaternion q = to.getRotation();
    const btVector3 p = to.getOrigin();
    const double position[3] = {(double)p.x(), (double)p.y(), (double)p.z()};
    const double rotation[4] = {(double)q.x(), (double)q.y(), (double)q.z(), (double)q.w()};
    weft_move_body(sheet.state, 0, position, rotation);
}

// ---------------------------------------------------------------------------------------------
// A crate, hung by its upper corners

static const double SIDE = 0.2;
static const double SHARE = 0.25;  // of the crate's inertia that the springs have: see the document

struct Hung {
    double force, swing, top, rise;  // mean and largest deviation of the last second, N; J
};

// spins: it starts with a push and a turn
static Hung hang_crate(double ratio, int steps, bool spins) {
    WeftBodyDef frame = weft_default_body_def();
    frame.kind = WEFT_BODY_BOX;
    for (int d = 0; d < 3; d++) frame.size[d] = SIDE;
    frame.position[1] = -SIDE / 2;
    Sheet sheet(frame, WEFT_CONTACT_NONE);
    double mass = ratio * sheet.mass, half = SIDE / 2;
    Rigid crate(new btBoxShape(btVector3((btScalar)half, (btScalar)half, (btScalar)half)), mass,
                btVector3(0, (btScalar)-half, 0));
    if (spins) {
        crate.body->setLinearVelocity(btVector3(0.5f, 0, 0.2f));
        crate.body->setAngularVelocity(btVector3(2, 3, -1));
    }
    double stiffness = SHARE * mass / (4 * DT * DT);
    int handles[4], corner[4];
    for (int k = 0; k < 4; k++) {
        int i = 8 + 4 * (k & 1), j = 8 + 4 * (k >> 1);
        WeftAttachmentDef def = weft_default_attachment_def();
        corner[k] = j * (CELLS + 1) + i;
        def.vertices[0] = corner[k];
        def.to = WEFT_ATTACH_TO_BODY;
        def.stiffness = stiffness;
        CHECK(weft_attach(sheet.state, &def, &handles[k], nullptr) == WEFT_OK);
    }
    Hung hung = {};
    double first = 0, highest = -1e30;
    std::vector<double> forces;
    for (int s = 0; s < steps; s++) {
        const btTransform ahead = crate.ahead();
        move_body(sheet, ahead);
        CHECK(weft_step(sheet.state, &sheet.step) == WEFT_OK);
        double sum = 0, springs = 0;
        for (int k = 0; k < 4; k++) {
            double f[3];
            weft_attachment_force(sheet.state, handles[k], f);
            sum += f[1];
            for (double& value : f) value = -value;
            springs += (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]) / (2 * stiffness);
            btVector3 local((btScalar)(SIDE * ((k & 1) - 0.5)), (btScalar)half,
                            (btScalar)(SIDE * (0.5 - (k >> 1))));
            crate.push(f, ahead.getBasis() * local);
        }
        crate.advance();
        double energy = sheet.energy() + crate.energy() + springs;
        if (s == 0) first = energy;
        highest = fmax(highest, energy);
        if (s >= steps - 60) forces.push_back(-sum);
        if (getenv("WEFT_SHOW") && s % 30 == 0)
            printf("%5.2f s: crate at %.4f, energy %.4f, force %.4f of %.4f N, gap %.4f m\n",
                   s * DT, (double)crate.body->getWorldTransform().getOrigin().y(), energy, -sum,
                   mass * GRAVITY,
                   weft_positions(sheet.state)[3 * corner[0] + 1] -
                       (double)crate.body->getWorldTransform().getOrigin().y() - half);
    }
    for (double f : forces) hung.force += f / (double)forces.size();
    for (double f : forces) hung.swing = fmax(hung.swing, fabs(f - hung.force));
    hung.rise = highest - first;
    hung.top = mass * GRAVITY;
    return hung;
}

static void check_crate(double ratio, int steps) {
    int before = test_failures;
    Hung hung = hang_crate(ratio, steps, false);
    CHECK_NEAR(hung.force, hung.top, 0.01 * hung.top);
    CHECK_BELOW(hung.swing, 0.01 * hung.top);
    CHECK_BELOW(hung.rise, 1e-6 * hung.top);
    if (getenv("WEFT_SHOW") || test_failures != before)
        printf("crate of %g: force %g of %g N, off by %g, energy rose by %g J\n", ratio, hung.force,
               hung.top, hung.swing, hung.rise);
}

static void crate_of_any_mass(void) {
    check_crate(0.01, 360);
    check_crate(1, 360);
    check_crate(100, 600);
}

static void crates_in_between(void) {
    check_crate(0.1, 600);
    check_crate(10, 600);
}

static void crate_that_swings_and_turns(void) {
    const double ratios[] = {0.01, 0.1, 1, 10, 100};
    for (double ratio : ratios) {
        Hung hung = hang_crate(ratio, 300, true);
        CHECK_BELOW(hung.rise, 1e-6 * hung.top);
        CHECK_BELOW(hung.swing, 0.5 * hung.top);
        if (getenv("WEFT_SHOW")) printf("%g: %g %g\n", ratio, hung.swing / hung.top, hung.rise);
    }
}

// ---------------------------------------------------------------------------------------------
// A ball that is caught

static void check_ball(double ratio, int steps) {
    int before = test_failures;
    WeftBodyDef def = weft_default_body_def();
    def.radius = 0.1;
    def.position[1] = 0.4;
    Sheet sheet(def, WEFT_CONTACT_BODIES);
    double mass = ratio * sheet.mass, mean = 0, first = 0, highest = -1e30;
    Rigid ball(new btSphereShape((btScalar)def.radius), mass, btVector3(0, 0.4f, 0));
    for (int s = 0; s < steps; s++) {
        move_body(sheet, ball.ahead());
        CHECK(weft_step(sheet.state, &sheet.step) == WEFT_OK);
        double force[3], torque[3];
        weft_contact_force(sheet.state, 0, force, torque);
        ball.push(force, btVector3(0, 0, 0));
        ball.body->applyTorque(
            btVector3((btScalar)torque[0], (btScalar)torque[1], (btScalar)torque[2]));
        ball.advance();
        // of the ball: what the cloth has is taken up and given back
        double energy = ball.energy();
        if (s == 0) first = energy;
        highest = fmax(highest, energy);
        if (s >= steps - 60) mean += force[1] / 60;
        if (getenv("WEFT_SHOW") && s % 30 == 0)
            printf("%5.2f s: ball at %.4f %.4f %.4f, energy %.4f, force %.4f of %.4f N\n", s * DT,
                   (double)ball.body->getWorldTransform().getOrigin().x(),
                   (double)ball.body->getWorldTransform().getOrigin().y(),
                   (double)ball.body->getWorldTransform().getOrigin().z(), energy, force[1],
                   mass * GRAVITY);
    }
    CHECK_NEAR(mean, mass * GRAVITY, 0.01 * mass * GRAVITY);
    CHECK_BELOW(highest - first, 1e-6 * mass * GRAVITY);
    CHECK_BELOW((double)ball.body->getLinearVelocity().length(), 0.1);
    if (getenv("WEFT_SHOW") || test_failures != before)
        printf("ball of %g: force %g of %g N, energy rose by %g J\n", ratio, mean, mass * GRAVITY,
               highest - first);
}

static void ball_is_caught(void) { check_ball(10, 360); }
static void balls_of_other_mass(void) {
    check_ball(1, 600);
    check_ball(100, 600);
}

TEST_MAIN(CASE(crate_of_any_mass), SLOW_CASE(crates_in_between),
          SLOW_CASE(crate_that_swings_and_turns), CASE(ball_is_caught),
          LONG_CASE(balls_of_other_mass))
