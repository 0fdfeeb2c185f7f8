package io.stowline.spring.boot.resource;

import io.stowline.spring.boot.autoconfigure.AccountProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.config.ConfigDataResource;

/** A blob with configuration to import. Two are equal if their locations are. Immutable and thread-safe. */
final class BlobConfigDataResource extends ConfigDataResource {

    static final String ENABLED = "stowline.config.enabled";

    private final ResourceLocation location;
    private final String account;
    private final AccountProperties properties;
    private final ImportRules rules;

    /**
     * The rules of an import.
     *
     * @param optional whether the application starts without the blob
     * @param reloaded whether the application follows changes of the blob
     * @param enabled whether the blob is read at all
     */
    record ImportRules(boolean optional, boolean reloaded, boolean enabled) {}

    BlobConfigDataResource(ResourceLocation location, String account, AccountProperties properties, ImportRules rules) {
        super(rules.optional());
        this.location = location;
        this.account = account;
        this.properties = properties;
        this.rules = rules;
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

    ImportRules rules() {
        return rules;
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
