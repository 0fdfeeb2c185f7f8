package io.stowline.transport.internal;

import io.stowline.transport.internal.StorageAccount.Service;
import org.jspecify.annotations.Nullable;

/** What opens an account, whichever way: it authorizes the requests to each of its services. Thread-safe; may change while in use. */
public interface AccountCredential {

    /**
     * Makes what authorizes the requests to one service.
     *
     * @param service the service
     * @return its authorizer
     */
    Authorizer authorizer(Service service);

    /**
     * Whom it stands for at present, for what must not be shared with others: what one has read no other is given from a cache (CACHE-6).
     *
     * @return a digest, from which nothing of the credential can be learned
     */
    String scope();

    /**
     * The account that it opens.
     *
     * @return the account's name, or {@code null} if the credential does not say
     */
    default @Nullable String account() {
        return null;
    }
}
