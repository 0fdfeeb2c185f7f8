package io.stowline.transport.internal;

import io.stowline.retry.RetrySettings;

/**
 * How the requests of an application's own SDK clients are sent.
 *
 * @param retry how often and how long each is tried
 * @param parallelism how many attempts may be in flight
 * @param repeatAmbiguous whether any request may be sent again after an attempt that may have been carried out
 * @param heldBodies up to how many bytes of a body that can be read only once are held in memory
 */
public record ForeignSettings(RetrySettings retry, int parallelism, boolean repeatAmbiguous, int heldBodies) {}
