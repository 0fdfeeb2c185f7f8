/**
 * Operations that clients of the Azure SDK carry out for Stowline, and requests of the application's own SDK clients. The queue and blob
 * rooms and the public retry policy use it. It calls the pipeline and the rooms below.
 */
@NullMarked
package io.stowline.transport.internal.sdk;

import org.jspecify.annotations.NullMarked;
