package io.stowline.spring.boot.resource;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;

/** Imported configuration whose blob may be replaced: all of its documents change in one step. Thread-safe. */
final class ImportedBlob {

    private final ResourceLocation location;
    private final String account;
    private volatile Version current;

    /**
     * A version of the blob.
     *
     * @param etag its ETag
     * @param documents its documents
     */
    record Version(String etag, ConfigDocuments documents) {

        /** Returns what stands for an optional blob that has not been read yet. */
        static Version none(ResourceLocation location) {
            return new Version("", ConfigDocuments.none(location));
        }
    }

    ImportedBlob(ResourceLocation location, String account, Version first) {
        this.location = location;
        this.account = account;
        this.current = first;
    }

    ResourceLocation location() {
        return location;
    }

    String account() {
        return account;
    }

    Version current() {
        return current;
    }

    /** Returns whether the blob has been read. */
    boolean wasThere() {
        return !current.etag().isEmpty();
    }

    void replaceBy(Version next) {
        current = next;
    }

    /** Returns the documents as the environment has them. */
    List<PropertySource<?>> sources() {
        List<PropertySource<?>> sources = new ArrayList<>();
        List<EnumerablePropertySource<?>> documents = current.documents().documents();
        for (int i = 0; i < documents.size(); i++) {
            sources.add(new Document(documents.get(i).getName(), this, i));
        }
        return sources;
    }

    /** One of the documents, whose values are those of the current version. */
    static final class Document extends EnumerablePropertySource<ImportedBlob> implements OriginLookup<String> {

        private final int index;

        private Document(String name, ImportedBlob blob, int index) {
            super(name, blob);
            this.index = index;
        }

        private EnumerablePropertySource<?> document() {
            return source.current.documents().documents().get(index);
        }

        @Override
        public String[] getPropertyNames() {
            return document().getPropertyNames();
        }

        @Override
        public @Nullable Object getProperty(String name) {
            return document().getProperty(name);
        }

        @Override
        public @Nullable Origin getOrigin(String key) {
            return OriginLookup.getOrigin(document(), key);
        }
    }
}
