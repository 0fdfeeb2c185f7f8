/** The threads of clients: names, and those that wait for disks. Every room above uses it. It calls none. */
@NullMarked
package io.stowline.transport.internal.thread;

import org.jspecify.annotations.NullMarked;
