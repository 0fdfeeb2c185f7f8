/**
 * The HTTP client over Reactor Netty: connections, proxies, name resolution, and the checks on a connection's bytes. The client runtime
 * builds it, and the pipeline reads the ids that responses echo. It calls http, http.response, account and concurrent.
 */
@NullMarked
package io.stowline.transport.internal.netty;

import org.jspecify.annotations.NullMarked;
