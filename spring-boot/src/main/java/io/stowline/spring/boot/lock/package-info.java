/**
 * Locks of several processes and the state that they share, behind the interfaces of Spring Integration and ShedLock.
 *
 * <p>A {@link io.stowline.spring.boot.lock.BlobLeaseLockRegistry} is a {@code LockRegistry} over leases of blobs. Its locks are renewed while they are
 * held, and each acquisition has a number by which the store refuses what an earlier holder writes:
 *
 * <pre>{@code
 * @Component
 * class Reports {
 *     private final LockRegistry<FencedLock> locks;
 *     private final BlobContainer reports;
 *
 *     Reports(LockRegistry<FencedLock> locks, BlobContainer reports) {
 *         this.locks = locks;
 *         this.reports = reports;
 *     }
 *
 *     void write(byte[] report) throws InterruptedException {
 *         FencedLock lock = locks.obtain("report");
 *         lock.lock();
 *         try {
 *             lock.term().fence(reports, "today.csv").upload(report);
 *         } finally {
 *             lock.unlock();
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>A {@link io.stowline.spring.boot.lock.TableLockProvider} lets one process run each {@code @Scheduled} method with a {@code @SchedulerLock}. A {@link
 * io.stowline.spring.boot.lock.TableMetadataStore} keeps texts by key for adapters and idempotent receivers.
 *
 * <p>This room uses the public API of the client only; both libraries are optional.
 */
@NullMarked
package io.stowline.spring.boot.lock;

import org.jspecify.annotations.NullMarked;
