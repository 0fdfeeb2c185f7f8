package io.stowline.blob.internal.directory;

import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.copy.ServerCopy;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.account.Endpoint;
import java.net.URI;

/**
 * The choice of the way that the blobs of one copy take: by the service where both sides allow it, and through this client from the first refusal on. Thread-safe.
 */
final class CopyWay {

    private final URI target;
    private volatile boolean byService;

    /**
     * Chooses.
     *
     * @param streamed whether the application wants all content to travel through this client
     */
    CopyWay(BlobContext source, BlobContext target, boolean streamed) {
        // Headers of a view may open the source, as a key of the customer does, and the service would not send them
        // there.
        this.target = URI.create(target.url());
        byService = !streamed
                && target.service().version().copies()
                && source.calls().view().headers().isEmpty()
                && reaches(URI.create(source.url()), this.target);
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
        if (!(error instanceof StorageException refused)) {
            return false;
        }
        boolean refuses = ServerCopy.isMissing(refused, target)
                || (!(error instanceof OutcomeUnknownException)
                        && refused.failure().status() / 100 == 4
                        && "CannotVerifyCopySource".equals(refused.failure().errorCode()));
        if (refuses) {
            byService = false;
        }
        return refuses;
    }
}
