/**
 * The runtime of one client: its connections, threads, cache, settings, one pipeline for each service, and lists of names. The public builders make it,
 * and the rooms of the services live on it. It calls every other room of transport.
 */
@NullMarked
package io.stowline.transport.internal.client;

import org.jspecify.annotations.NullMarked;
