package io.stowline.spring.boot.lock;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveLeaderElection;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.integration.support.locks.ExpirableLockRegistry;
import org.springframework.integration.support.locks.RenewableLockRegistry;

/**
 * A registry of locks of several processes: the lease of one blob for each key. The client renews the lease of a lock that is held, and each acquisition has
 * a number, see {@link FencedLock#term}.
 *
 * <pre>{@code
 * @Configuration
 * class ArchiveLocks {
 *     @Bean
 *     BlobLeaseLockRegistry archiveLocks(@Qualifier("archive") Stowline archive) {
 *         return new BlobLeaseLockRegistry(archive.container("locks"));
 *     }
 * }
 * }</pre>
 *
 * <p>The blob of a key is made by its first acquisition and stays: it counts the acquisitions. Keys are texts, and few: a blob for each order never goes away.
 * Waiting is one request for each process, key and poll. An acquisition and its release are five requests, each renewal is one.
 *
 * <p>Thread-safe.
 */
public final class BlobLeaseLockRegistry
        implements ExpirableLockRegistry<FencedLock>, RenewableLockRegistry<FencedLock> {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration MIN_LEASE = Duration.ofSeconds(15);
    private static final Duration MAX_LEASE = Duration.ofSeconds(60);
    private static final Duration POLL_EVERY = Duration.ofSeconds(1);
    private static final Duration MIN_POLL = Duration.ofMillis(100);
    private static final Duration MAX_POLL = Duration.ofMinutes(1);
    private static final int MAX_UNUSED = 100_000;

    private final ReactiveBlobContainer container;
    private final Duration lease;
    private final Duration pollEvery;
    private final Map<String, BlobLeaseLock> locks = new LinkedHashMap<>(16, 0.75f, true);

    /** All locks that anyone refers to, also those that {@code locks} has forgotten. Guarded by {@code locks}. */
    private final Map<LockKey, WeakReference<BlobLeaseLock>> known = new WeakHashMap<>();

    /**
     * Makes a registry with leases of 30 s, which tries a lock of another process about every second.
     *
     * @param container holds the blobs of the locks
     */
    public BlobLeaseLockRegistry(BlobContainer container) {
        this(container, LEASE, POLL_EVERY);
    }

    /**
     * Makes a registry.
     *
     * @param container holds the blobs of the locks
     * @param lease the lease, 15 s to 60 s: others get the lock of a dead process once it has passed
     * @param pollEvery the longest pause between two tries of a lock that another process has, 100 ms to 1 min; the shortest is half of it
     * @throws IllegalArgumentException if a time is out of range
     */
    public BlobLeaseLockRegistry(BlobContainer container, Duration lease, Duration pollEvery) {
        this.container = Objects.requireNonNull(container, "container").reactive();
        this.lease = checkedLease(lease);
        this.pollEvery = checkedPoll(pollEvery);
    }

    /** A key that lives as long as its lock. */
    private record LockKey(String text) {}

    static Duration checkedLease(Duration lease) {
        return checked("lease", lease, MIN_LEASE, MAX_LEASE);
    }

    static Duration checkedPoll(Duration pollEvery) {
        return checked("pollEvery", pollEvery, MIN_POLL, MAX_POLL);
    }

    private static Duration checked(String name, Duration time, Duration min, Duration max) {
        Objects.requireNonNull(time, name);
        if (time.compareTo(min) < 0 || time.compareTo(max) > 0) {
            throw new IllegalArgumentException(name + " is " + min.toMillis() + " ms to " + max.toMillis() + " ms, not "
                    + time.toMillis() + " ms");
        }
        return time;
    }

    /**
     * Returns the lock of a key. Sends nothing.
     *
     * @param lockKey a text
     * @return the lock, the same one while it is used or referred to
     * @throws IllegalArgumentException if the key is no text
     */
    @Override
    public FencedLock obtain(Object lockKey) {
        return lock(lockKey);
    }

    private BlobLeaseLock lock(Object lockKey) {
        if (!(lockKey instanceof String key)) {
            throw new IllegalArgumentException("the key of a lock is a String, not "
                    + (lockKey == null ? "null" : lockKey.getClass().getName()));
        }
        synchronized (locks) {
            BlobLeaseLock lock = locks.get(key);
            if (lock == null) {
                lock = known(new LockKey(key));
                locks.put(key, lock);
                if (locks.size() > MAX_UNUSED) {
                    locks.values().stream()
                            .filter(eldest -> eldest.isUnusedFor(0))
                            .findFirst()
                            .ifPresent(locks.values()::remove);
                }
            }
            return lock;
        }
    }

    /** Returns the lock of a key. It takes its place in the registry again by each acquisition. */
    private BlobLeaseLock known(LockKey key) {
        WeakReference<BlobLeaseLock> reference = known.get(key);
        BlobLeaseLock lock = reference == null ? null : reference.get();
        if (lock == null) {
            String blob = EncodedKey.of(key.text());
            lock = new BlobLeaseLock(key.text(), lease, pollEvery, ttl -> {
                lock(key.text());
                return election(blob, ttl);
            });
            known.remove(key);
            known.put(key, new WeakReference<>(lock));
        }
        return lock;
    }

    private ReactiveLeaderElection election(String blob, Duration ttl) {
        Objects.requireNonNull(ttl, "ttl");
        if (ttl.isNegative() || ttl.isZero()) {
            throw new IllegalArgumentException("ttl is more than zero, not " + ttl);
        }
        Duration longEnough = ttl.compareTo(MIN_LEASE) < 0 ? MIN_LEASE : ttl;
        return container.leader(blob, longEnough.compareTo(MAX_LEASE) > 0 ? MAX_LEASE : longEnough);
    }

    /**
     * Forgets locks that no thread has, waits for or has used lately. Their blobs stay, and one that the application refers to stays the lock of its key.
     *
     * @param age the time in milliseconds
     */
    @Override
    public void expireUnusedOlderThan(long age) {
        synchronized (locks) {
            locks.values().removeIf(lock -> lock.isUnusedFor(TimeUnit.MILLISECONDS.toNanos(age)));
        }
    }

    /**
     * Checks that the current thread still holds a lock. The client renews it anyway, and this sends nothing.
     *
     * @param lockKey the key of the lock
     * @throws IllegalMonitorStateException if the current thread does not own the lock
     * @throws IllegalStateException if the lock is lost
     */
    @Override
    public void renewLock(Object lockKey) {
        if (!lock(lockKey).isHeld()) {
            throw new IllegalStateException("The lock '" + lockKey + "' is lost and cannot be renewed");
        }
    }

    /**
     * Checks that the current thread still holds a lock; see {@link #renewLock(Object)}. The lease keeps its length.
     *
     * @param lockKey the key of the lock
     * @param ttl is not used
     * @throws IllegalMonitorStateException if the current thread does not own the lock
     * @throws IllegalStateException if the lock is lost
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        renewLock(lockKey);
    }

    @Override
    public String toString() {
        return "BlobLeaseLockRegistry[" + container.name() + "]";
    }
}
