/** The queue service's wire: names, limits, the forms of a message's body, and the SDK's client over our pipeline. */
@NullMarked
package io.stowline.queue.internal;

import org.jspecify.annotations.NullMarked;
