package io.stowline.blob.internal.directory;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.account.Endpoint;
import java.net.URI;

/**
 * The choice of the way that the blobs of one copy take: by the service where both sides allow it, and through this client from the first refusal on. Thread-safe.
 */
final class CopyWay {

    private static final int NOT_IMPLEMENTED = 501;

    private volatile boolean byService;

    /**
     * Chooses.
     *
     * @param streamed whether the application wants all content to travel through this client
     */
    CopyWay(BlobContext source, BlobContext target, boolean streamed) {
        // Headers of a view may open the source, as a key of the customer does, and the service would not send them
        // there.
        byService = !streamed
                && target.service().version().copies()
                && source.calls().view().headers().isEmpty()
                && reaches(URI.create(source.url()), URI.create(target.url()));
    }

    /** An emulator on this machine reaches itself; no service reaches another one here. */
    private static boolean reaches(URI source, URI target) {
        return !Endpoint.isLoopback(source) || Endpoint.isLoopback(target);
    }

    /** Returns whether the next blob is copied by the service. */
    boolean byService() {
        return byService;
    }

    /** Returns whether this error refuses the way for this blob and, as for one, for all. */
    boolean refusedBy(Throwable error) {
        if (!(error instanceof StorageException refused) || error instanceof OutcomeUnknownException) {
            return false;
        }
        int status = refused.failure().status();
        boolean refuses = status == NOT_IMPLEMENTED
                || (status / 100 == 4
                        && "CannotVerifyCopySource".equals(refused.failure().errorCode()));
        if (refuses) {
            byService = false;
        }
        return refuses;
    }
}
