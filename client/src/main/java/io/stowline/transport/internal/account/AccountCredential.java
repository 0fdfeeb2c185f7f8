package io.stowline.transport.internal.account;

import com.azure.core.http.policy.HttpPipelinePolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What opens an account, whichever way: it authorizes the requests to each of its services. Thread-safe; may change while in use. */
public interface AccountCredential {

    /**
     * Makes what authorizes the requests to one service.
     *
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

    /**
     * By what the Azure SDK's own clients sign what they sign themselves: shared access signatures, and the parts of a batch.
     *
     * @return policies for their pipelines; none if there is no key
     */
    default List<HttpPipelinePolicy> signers() {
        return List.of();
    }
}
