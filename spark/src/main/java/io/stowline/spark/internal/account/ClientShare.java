package io.stowline.spark.internal.account;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.util.concurrent.atomic.AtomicBoolean;

/** A share of a client that other tasks of this JVM may use, too. Closing it leaves the client to them. */
public final class ClientShare implements AutoCloseable {

    private final Stowline client;
    private final Runnable release;
    private final AtomicBoolean closed = new AtomicBoolean();

    ClientShare(Stowline client, Runnable release) {
        this.client = client;
        this.release = release;
    }

    /** Returns the client, which is not closed by its users. */
    public Stowline client() {
        return client;
    }

    /** Returns a table of the account. */
    public Table<Entity> table(String name) {
        return client.table(name);
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.run();
        }
    }
}
