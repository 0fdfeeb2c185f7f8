/**
 * The base of all blob operations: the context of a container, names, conditions, memory bounds and adapters to the Azure SDK. Every
 * room of blobs uses it. It calls the room of transfers only.
 */
@NullMarked
package io.stowline.blob.internal.base;

import org.jspecify.annotations.NullMarked;
