package io.stowline.blob;

import io.stowline.blob.internal.base.BlobService;

/** Makes containers of the parts that a client holds. Not part of the API: only the entry in {@code io.stowline} has such parts. */
public final class Containers {

    private final BlobService service;

    /**
     * Stands on a blob service.
     *
     * @param service the service
     */
    @SuppressWarnings("exports")
    public Containers(BlobService service) {
        this.service = service;
    }

    /**
     * Returns a container.
     *
     * @param name its name
     * @return the container
     * @throws IllegalArgumentException if the name is not allowed, or the connection string gives no address for blobs
     */
    public BlobContainer container(String name) {
        return new BlobContainer(service.container(name));
    }
}
