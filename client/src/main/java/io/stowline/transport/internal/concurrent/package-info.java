/**
 * Blocking waits, callbacks of the application, interruptible tasks, threads, stopwatches and the registry of operations in flight. Every
 * room above uses it. It calls
 * error only, to copy exceptions for waiting threads.
 */
@NullMarked
package io.stowline.transport.internal.concurrent;

import org.jspecify.annotations.NullMarked;
