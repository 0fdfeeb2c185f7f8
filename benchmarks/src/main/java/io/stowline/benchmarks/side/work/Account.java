package io.stowline.benchmarks.side.work;

import com.azure.core.credential.AzureNamedKeyCredential;

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

    /** The suffix of that queue's address at the stub for the count of its requests. */
    public static final String COUNT = "?comp=requests";

    public AzureNamedKeyCredential credential() {
        return new AzureNamedKeyCredential(name, key);
    }

    @Override
    public String toString() {
        return "Account[" + endpoint + "]";
    }
}
