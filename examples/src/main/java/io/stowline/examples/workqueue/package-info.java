/** The work queue: several processes share the jobs of one queue, and one of them is killed on the way. */
@NullMarked
package io.stowline.examples.workqueue;

import org.jspecify.annotations.NullMarked;
