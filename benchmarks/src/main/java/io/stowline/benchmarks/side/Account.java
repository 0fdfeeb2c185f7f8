package io.stowline.benchmarks.side;

import com.azure.core.credential.AzureNamedKeyCredential;

/**
 * Where the tables are.
 *
 * @param endpoint the address of the account's tables
 * @param name the account
 * @param key its key
 */
record Account(String endpoint, String name, String key) {

    /** Is written to. */
    static final String WRITTEN = "rows";

    /** Is read. */
    static final String READ = "orders";

    AzureNamedKeyCredential credential() {
        return new AzureNamedKeyCredential(name, key);
    }

    @Override
    public String toString() {
        return "Account[" + endpoint + "]";
    }
}
