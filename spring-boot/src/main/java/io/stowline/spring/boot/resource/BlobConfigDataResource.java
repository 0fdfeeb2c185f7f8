package io.stowline.spring.boot.resource;

import io.stowline.spring.boot.autoconfigure.AccountProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataResource;

/** A blob with configuration to import. Two are equal if their locations are. Immutable and thread-safe. */
final class BlobConfigDataResource extends ConfigDataResource {

    private final ResourceLocation location;
    private final String account;
    private final AccountProperties properties;
    private final boolean reloaded;

    BlobConfigDataResource(
            ResourceLocation location,
            String account,
            AccountProperties properties,
            boolean optional,
            boolean reloaded) {
        super(optional);
        this.location = location;
        this.account = account;
        this.properties = properties;
        this.reloaded = reloaded;
    }

    ResourceLocation location() {
        return location;
    }

    String account() {
        return account;
    }

    AccountProperties properties() {
        return properties;
    }

    /** Returns whether the application follows changes of the blob. */
    boolean isReloaded() {
        return reloaded;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof BlobConfigDataResource that && location.equals(that.location);
    }

    @Override
    public int hashCode() {
        return location.hashCode();
    }

    @Override
    public String toString() {
        return "blob [" + location + "]";
    }
}
