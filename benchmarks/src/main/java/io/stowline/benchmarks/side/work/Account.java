package io.stowline.benchmarks.side.work;

import com.azure.core.credential.AzureNamedKeyCredential;
import io.stowline.Stowline;
import io.stowline.retry.ParallelismSettings;

/**
 * The account of the tables.
 *
 * @param endpoint the address of the account's tables
 * @param name the account
 * @param key its key
 */
public record Account(String endpoint, String name, String key) {

    /** Is written to. */
    public static final String WRITTEN = "rows";

    /** Is read. */
    public static final String READ = "orders";

    /** The queue; a stub has it at the same address, and it is never empty there. */
    public static final String QUEUE = "deliveries";

    /** A queue that holds what is sent to it. */
    public static final String CONSUMED = "jobs";

    /** A table of entities whose row key is their size in KiB, made when they are read. */
    public static final String SIZED = "sized";

    /** The path of the stub's command that adds messages to queues: their number and the messages of each follow. */
    public static final String FILL = CONSUMED + "?comp=fill&queues=%d&messages=%d";

    /** The suffix of that queue's address at the stub for the count of its requests. */
    public static final String COUNT = "?comp=requests";

    public AzureNamedKeyCredential credential() {
        return new AzureNamedKeyCredential(name, key);
    }

    /** Returns a builder of a client whose adaptive gate starts with as many requests in flight as it may have, all of the rest by default. */
    public Stowline.Builder stowline(int inFlight) {
        return Stowline.builder()
                .tableEndpoint(endpoint)
                .queueEndpoint(endpoint)
                .blobEndpoint(endpoint)
                .accountName(name)
                .credential(credential())
                .parallelism(ParallelismSettings.builder()
                        .max(inFlight)
                        .start(inFlight)
                        .build());
    }

    @Override
    public String toString() {
        return "Account[" + endpoint + "]";
    }
}
