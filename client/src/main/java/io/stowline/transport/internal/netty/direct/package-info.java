/**
 * The HTTP/1.1 client for requests of our own: connections over Netty, tunnels through proxies, pools, and the codec. The Netty
 * transport builds it and hands it the settings of its Reactor Netty client, so that both open connections alike. It calls http,
 * http.response and account only.
 */
@NullMarked
package io.stowline.transport.internal.netty.direct;

import org.jspecify.annotations.NullMarked;
