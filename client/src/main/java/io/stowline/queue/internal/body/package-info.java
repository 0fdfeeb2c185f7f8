/**
 * Bodies of messages: their codecs, encodings and envelopes, events of other producers, and bodies that lie in blobs. The client, consumer
 * and poison rooms use it, and the public codecs. It calls the views of messages and the operations of queues in its parent.
 */
@NullMarked
package io.stowline.queue.internal.body;

import org.jspecify.annotations.NullMarked;
