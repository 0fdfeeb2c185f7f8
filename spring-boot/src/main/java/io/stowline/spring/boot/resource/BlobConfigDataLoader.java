package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.springframework.boot.context.config.ConfigData;
import org.springframework.boot.context.config.ConfigDataLoader;
import org.springframework.boot.context.config.ConfigDataLoaderContext;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;

/** A loader of configuration from blobs, all of one version. Immutable and thread-safe. */
final class BlobConfigDataLoader implements ConfigDataLoader<BlobConfigDataResource> {

    /** Made by Spring Boot. */
    BlobConfigDataLoader() {}

    @Override
    public ConfigData load(ConfigDataLoaderContext context, BlobConfigDataResource resource) throws IOException {
        Stowline client = BootstrapClients.of(context.getBootstrapContext()).client(resource);
        BlobResource blob = new BlobResource(resource.location(), () -> client, null);
        try {
            String etag = blob.info().etag();
            ConfigDocuments documents = ConfigDocuments.read(resource.location(), blob);
            return new ConfigData(
                    resource.isReloaded()
                            ? new ImportedBlob(
                                            resource.location(),
                                            resource.account(),
                                            new ImportedBlob.Version(etag, documents))
                                    .sources()
                            : documents.documents());
        } catch (FileNotFoundException e) {
            throw new ConfigDataResourceNotFoundException(resource, e);
        }
    }
}
