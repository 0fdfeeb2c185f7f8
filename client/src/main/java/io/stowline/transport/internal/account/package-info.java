/**
 * Storage accounts: names, endpoints, connection strings, and the credentials that authorize requests. The pipeline, the client
 * runtime and the transport use it. It calls http, error and concurrent.
 */
@NullMarked
package io.stowline.transport.internal.account;

import org.jspecify.annotations.NullMarked;
