// SPDX-FileCopyrightText: The weft authors
// SPDX-License-Identifier: MIT

// A web server for one reader: it hands out a site, read-only, to browsers on this machine.

#ifndef WEFT_CLI_SERVER_H
#define WEFT_CLI_SERVER_H

#include "site.h"

typedef struct Server {
    const Site* site;
    int port;
    struct MHD_Daemon* daemon;
} Server;

// Serves from a thread of its own until stopped; `port` 0 takes any that is free, and server->port
// says which. Returns GO_ON, or an exit code after telling what is wrong.
int start_server(Server* server, const Site* site, int port);
void stop_server(Server* server);

#endif
