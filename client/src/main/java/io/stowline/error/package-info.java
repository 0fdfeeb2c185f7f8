/**
 * The exceptions of failed requests, by their meaning to the caller. {@link io.stowline.error.StorageException} is the root of a small
 * sealed family.
 *
 * <pre>{@code
 * try {
 *     runners.insert(runner);
 * } catch (ConflictException e) {
 *     log.info("the runner is registered already");
 * } catch (OutcomeUnknownException e) {
 *     log.warn("read before you repeat it: {}", e.readBackDetail());
 * } catch (StorageException e) {
 *     log.error("after {} attempts: {}", e.failure().attempts(), e.failure().errorCode());
 * }
 * }</pre>
 *
 * <p>The type decides what a caller can do. {@link io.stowline.error.NotFoundException}, {@link io.stowline.error.ConflictException} and
 * {@link io.stowline.error.PreconditionFailedException} are results of the state in the service, and certain: the write was not applied.
 * {@link io.stowline.error.ThrottledException}, {@link io.stowline.error.ServerErrorException} and
 * {@link io.stowline.error.UnreachableException} end retries that were used up. {@link io.stowline.error.OutcomeUnknownException} leaves
 * open whether a write was applied.
 *
 * <p>{@link io.stowline.error.FailureDetails} has the operation, the resource, status and code, attempts, times and request ids. No
 * message has an account key, a signature or a token, and text from outside is escaped.
 *
 * <p>An interrupted wait is a {@link io.stowline.error.StorageInterruptedException}, outside of the family, and sets the thread's flag
 * again; {@link io.stowline.error.WaitInterruptedException} is the base of all exceptions of interrupted threads. The use of a closed
 * client or writer is a {@link io.stowline.error.ClosedException}. Arguments that cannot work are {@link IllegalArgumentException}s, thrown before anything is sent.
 */
@NullMarked
package io.stowline.error;

import org.jspecify.annotations.NullMarked;
