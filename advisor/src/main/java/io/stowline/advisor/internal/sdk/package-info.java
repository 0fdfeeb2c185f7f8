/**
 * The traffic of Azure SDK clients: a policy of their pipeline, which reads each attempt from its request and response. The advisor makes
 * it. It calls the listener of the advisor, and no other room.
 */
@NullMarked
package io.stowline.advisor.internal.sdk;

import org.jspecify.annotations.NullMarked;
