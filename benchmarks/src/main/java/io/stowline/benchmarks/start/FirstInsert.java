package io.stowline.benchmarks.start;

import com.azure.data.tables.TableServiceClientBuilder;
import io.stowline.Stowline;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import java.io.IOException;

/**
 * A process that inserts one entity, or does nothing, and writes a line. Then it waits for the end of its standard input, so that its parent can
 * read its figures.
 */
public final class FirstInsert {

    /** The process does nothing: its figures are those of the JVM. */
    static final String BARE = "bare";

    static final String SDK = "sdk";
    static final String STOWLINE = "stowline";

    private FirstInsert() {}

    /**
     * Inserts.
     *
     * @param args the contender, and the connection string of the account
     * @throws IOException if the standard input cannot be read
     */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case SDK -> Sdk.insert(args[1]);
            case STOWLINE -> Client.insert(args[1]);
            default -> {}
        }
        System.out.println("inserted");
        while (System.in.read() >= 0) {
            // The parent has nothing to say.
        }
        System.exit(0);
    }

    /** A class with the client's, which the other processes do not load. */
    private static final class Client {

        static void insert(String connectionString) {
            Stowline storage = Stowline.connect(connectionString);
            storage.table(Account.WRITTEN, Order.class).insert(Orders.order(1));
        }
    }

    /** A class with those of the SDK. */
    private static final class Sdk {

        static void insert(String connectionString) {
            new TableServiceClientBuilder()
                    .connectionString(connectionString)
                    .buildClient()
                    .getTableClient(Account.WRITTEN)
                    .createEntity(Orders.entity(Orders.partition(1), 1));
        }
    }
}
