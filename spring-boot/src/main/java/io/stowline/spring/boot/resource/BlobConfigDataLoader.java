package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import org.apache.commons.logging.Log;
import org.springframework.boot.context.config.ConfigData;
import org.springframework.boot.context.config.ConfigDataLoader;
import org.springframework.boot.context.config.ConfigDataLoaderContext;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.logging.DeferredLogFactory;

/**
 * A loader of configuration from blobs, all of one version. An optional import has no values while its blob is missing or its service does not
 * respond; where changes are followed, it has a place for them. Immutable and thread-safe.
 */
final class BlobConfigDataLoader implements ConfigDataLoader<BlobConfigDataResource> {

    private final Log log;

    /** Made by Spring Boot, before there is a log. */
    BlobConfigDataLoader(DeferredLogFactory logs) {
        log = logs.getLog(BlobConfigDataLoader.class);
    }

    @Override
    public ConfigData load(ConfigDataLoaderContext context, BlobConfigDataResource resource) throws IOException {
        if (!resource.rules().enabled()) {
            log.info("The import '" + resource.location() + "' is left out: '" + BlobConfigDataResource.ENABLED
                    + "' is false");
            return ConfigData.EMPTY;
        }
        Stowline client = BootstrapClients.of(context.getBootstrapContext()).client(resource);
        BlobResource blob = new BlobResource(resource.location(), () -> client, null);
        try {
            String etag = blob.info().etag();
            return data(resource, new ImportedBlob.Version(etag, ConfigDocuments.read(resource.location(), blob)));
        } catch (FileNotFoundException e) {
            if (!resource.rules().optional()) {
                throw new ConfigDataResourceNotFoundException(resource, e);
            }
            log.info(absence(resource) + "is not there");
        } catch (StorageException e) {
            if (!resource.rules().optional() || !isOutage(e)) {
                throw e;
            }
            log.warn(absence(resource) + "cannot be read: " + e.getMessage());
        }
        return data(resource, ImportedBlob.Version.none(resource.location()));
    }

    private static ConfigData data(BlobConfigDataResource resource, ImportedBlob.Version version) {
        return new ConfigData(
                resource.rules().reloaded()
                        ? new ImportedBlob(resource.location(), resource.account(), version).sources()
                        : version.documents().documents());
    }

    private static boolean isOutage(StorageException e) {
        return List.of(
                        UnreachableException.class,
                        ServerErrorException.class,
                        ThrottledException.class,
                        DeadlineExceededException.class,
                        CircuitOpenException.class)
                .stream()
                .anyMatch(type -> type.isInstance(e));
    }

    private static String absence(BlobConfigDataResource resource) {
        return "The optional import '" + resource.location() + "' has no values"
                + (resource.rules().reloaded() ? " until '" + BlobConfigReload.PROPERTY + "' finds it" : "")
                + ": the blob ";
    }
}
