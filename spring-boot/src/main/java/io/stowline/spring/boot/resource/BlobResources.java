package io.stowline.spring.boot.resource;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.BlobTree;
import io.stowline.error.NotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.ResourcePatternResolver;

/**
 * The blobs of the application's accounts as resources. The scheme of a location stands for an account: {@code azure-blob} for the default one
 * unless {@code stowline.resource-scheme} names another, {@code stowline.accounts.<name>.resource-scheme} for a further one.
 *
 * <pre>{@code
 * @Component
 * class Albums {
 *     Albums(BlobResources resources) throws IOException {
 *         for (BlobResource photo : resources.find("azure-blob://photos/2026/*.jpg")) {
 *             log.info("{} has {} bytes", photo.getFilename(), photo.contentLength());
 *         }
 *     }
 * }
 * }</pre>
 *
 * <p>In a location {@code %20} stands for a space and {@code %25} for a percent sign. A name from elsewhere, such as a request, is not part of a
 * location: {@code resources.resource("azure-blob://photos/").createRelative(name)}.
 *
 * <p>Thread-safe.
 */
public final class BlobResources {

    private final ResourceSchemes schemes;
    private final BeanFactory beans;
    private final ResourcePatternResolver others;

    BlobResources(ResourceSchemes schemes, BeanFactory beans, ResourcePatternResolver others) {
        this.schemes = schemes;
        this.beans = beans;
        this.others = others;
    }

    /**
     * Returns the blob at a location. Nothing is sent.
     *
     * @param location such as {@code azure-blob://photos/2026/a.jpg}
     * @return the resource, bound to no version yet
     * @throws IllegalArgumentException if no account has the scheme, or the location names no container
     */
    public BlobResource resource(String location) {
        BlobResource resource = resolve(Objects.requireNonNull(location, "location"));
        if (resource == null) {
            throw new IllegalArgumentException("the location '" + location + "' has none of the schemes "
                    + schemes.all()
                    + ", which stowline.resource-scheme and stowline.accounts.<name>.resource-scheme set");
        }
        return resource;
    }

    /** Returns the blob at a location, or null if the scheme is none of ours. */
    @Nullable
    BlobResource resolve(String location) {
        String account = schemes.account(location);
        return account == null ? null : new BlobResource(ResourceLocation.parse(location), client(account), null);
    }

    private Supplier<Stowline> client(String account) {
        return () -> ResourceSchemes.client(beans, account);
    }

    /**
     * Finds the blobs whose names match a pattern: {@code *} and {@code ?} stand for characters of a segment, {@code **} for any number of segments. The service
     * lists by what the pattern begins with, up to its first wildcard, and a pattern with one wildcard segment at its end lists no folder below.
     *
     * @param pattern such as {@code azure-blob://photos/2026/**}{@code /*.jpg}; the container has no wildcard
     * @return the blobs in the order of their names, each bound to the version of the listing; empty if the container is not there
     * @throws IllegalArgumentException if no account has the scheme, or the pattern does not name a container
     */
    public List<BlobResource> find(String pattern) {
        BlobResource start = resource(Objects.requireNonNull(pattern, "pattern"));
        if (!BlobPattern.isPattern(pattern)) {
            return start.exists() ? List.of(start) : List.of();
        }
        BlobPattern parsed = BlobPattern.parse(pattern);
        ResourceLocation prefix = parsed.prefix();
        Supplier<Stowline> client = client(Objects.requireNonNull(schemes.account(pattern)));
        BlobContainer container = client.get().container(prefix.container());
        try (Stream<BlobInfo> listed = listed(container, prefix.name(), parsed.isOneLevel())) {
            return listed.filter(info -> parsed.names().test(info.name()))
                    .map(info -> new BlobResource(prefix.withName(info.name()), client, PinnedBlob.listed(info)))
                    .toList();
        } catch (NotFoundException containerIsMissing) {
            return List.of();
        }
    }

    private static Stream<BlobInfo> listed(BlobContainer container, String prefix, boolean oneLevel) {
        return oneLevel
                ? container.entries(prefix, "/").map(BlobTree.Entry::info).filter(Objects::nonNull)
                : container.stream(prefix);
    }

    /**
     * Returns a resolver of patterns for parts of Spring that take one. Locations with other schemes go to the application context.
     *
     * @return the resolver
     */
    public ResourcePatternResolver patternResolver() {
        return new Patterns(this, others);
    }

    private record Patterns(BlobResources resources, ResourcePatternResolver others)
            implements ResourcePatternResolver {

        @Override
        public Resource[] getResources(String pattern) throws IOException {
            BlobResource blob = resources.resolve(pattern);
            if (blob == null) {
                return others.getResources(pattern);
            }
            return BlobPattern.isPattern(pattern)
                    ? resources.find(pattern).toArray(Resource[]::new)
                    : new Resource[] {blob};
        }

        @Override
        public Resource getResource(String location) {
            BlobResource blob = resources.resolve(location);
            return blob == null ? others.getResource(location) : blob;
        }

        @Override
        public @Nullable ClassLoader getClassLoader() {
            return others.getClassLoader();
        }
    }
}
