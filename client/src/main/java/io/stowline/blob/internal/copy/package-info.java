/**
 * Copies that the service carries out: their sources, requests, blocks and ends, and the faces of started ones. The rooms of the faces and of directories use it. It calls upload, operations,
 * recovery, request and base.
 */
@NullMarked
package io.stowline.blob.internal.copy;

import org.jspecify.annotations.NullMarked;
