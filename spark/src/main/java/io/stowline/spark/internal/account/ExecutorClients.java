package io.stowline.spark.internal.account;

import io.stowline.Stowline;
import io.stowline.spark.internal.option.AccountSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The clients of this JVM: one for each account, shared by the tasks that use it. A client without users is closed after a while, since the
 * next task comes soon as a rule. Thread-safe.
 */
public final class ExecutorClients {

    private static final Logger LOG = System.getLogger(ExecutorClients.class.getName());
    private static final Duration IDLE = Duration.ofMinutes(1);
    private static final ExecutorClients JVM =
            new ExecutorClients(new ClientOpener(System::getenv)::open, IDLE, timer());

    private final Function<AccountSource, Stowline> opener;
    private final Duration idle;
    private final ScheduledExecutorService timer;
    private final Map<AccountSource, SharedClient> clients = new HashMap<>();

    ExecutorClients(Function<AccountSource, Stowline> opener, Duration idle, ScheduledExecutorService timer) {
        this.opener = opener;
        this.idle = idle;
        this.timer = timer;
    }

    /** A client with the number of its users. */
    private static final class SharedClient {

        private final Stowline client;
        private int users;
        private long lastUse;

        SharedClient(Stowline client) {
            this.client = client;
        }
    }

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(JVM::closeAll, "stowline-spark-end"));
    }

    /** Returns the clients of this driver or executor. */
    public static ExecutorClients ofThisJvm() {
        return JVM;
    }

    private static ScheduledExecutorService timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "stowline-spark-idle");
            thread.setDaemon(true);
            return thread;
        });
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /**
     * Returns a share of the client of an account, which is opened for its first user.
     *
     * @return the share; close it after use
     * @throws IllegalArgumentException if the secret is not on this machine
     */
    public synchronized ClientShare share(AccountSource source) {
        SharedClient shared = clients.get(source);
        if (shared == null) {
            shared = new SharedClient(opener.apply(source));
            clients.put(source, shared);
        }
        shared.users++;
        Stowline client = shared.client;
        return new ClientShare(client, () -> release(source));
    }

    private synchronized void release(AccountSource source) {
        SharedClient shared = clients.get(source);
        if (shared == null) {
            return;
        }
        shared.users--;
        if (shared.users == 0) {
            long use = ++shared.lastUse;
            var unused = timer.schedule(() -> closeIdle(source, use), idle.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** The close waits for operations in flight, so it runs outside of the lock. */
    private void closeIdle(AccountSource source, long use) {
        Stowline closed;
        synchronized (this) {
            SharedClient shared = clients.get(source);
            if (shared == null || shared.users > 0 || shared.lastUse != use) {
                return;
            }
            clients.remove(source);
            closed = shared.client;
        }
        closed.close();
    }

    void closeAll() {
        List<SharedClient> all;
        synchronized (this) {
            all = new ArrayList<>(clients.values());
            clients.clear();
        }
        for (SharedClient shared : all) {
            try {
                shared.client.close();
            } catch (RuntimeException e) {
                // rows of a task that the end of the JVM cuts off; Spark repeats it, and the other clients are closed
                LOG.log(Level.DEBUG, "a client had failures that no task has collected", e);
            }
        }
    }
}
