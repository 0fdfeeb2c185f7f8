package io.stowline.blob.internal.directory;

import io.stowline.blob.internal.folder.DiskWork;
import io.stowline.blob.internal.folder.LocalFolder;
import io.stowline.error.internal.PrintableText;
import java.io.IOException;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The names of files and blobs that Unicode calls canonically equivalent: one text in the forms NFC and NFD. The service and many file systems
 * take them for two names, some file systems for one, and a copy may have changed the form. A transfer takes neither for a new one while the
 * other has no counterpart. Names of ASCII cost nothing. Thread-safe.
 */
record EquivalentNames(BlobFolder blobs, LocalFolder files) {

    /** Returns the name in the forms NFC and NFD, unless that is its form. */
    static List<String> of(String name) {
        if (name.chars().allMatch(c -> c < 0x80)) {
            return List.of();
        }
        return Stream.of(Form.NFC, Form.NFD)
                .map(form -> Normalizer.normalize(name, form))
                .filter(other -> !other.equals(name))
                .toList();
    }

    /** Returns why a file does not become a new blob: a blob of an equivalent name has no file. */
    Mono<IOException> againstNewBlob(String name) {
        return Flux.fromIterable(of(name))
                .concatMap(other -> blobs.has(other)
                        .filter(there -> there)
                        .flatMap(there -> onDisk(() -> files.hasOther(name, other)))
                        .filter(counterpart -> !counterpart)
                        .map(none -> reason("a blob", other)))
                .next();
    }

    /** Returns why a blob without a file is not deleted: a file of an equivalent name has no blob. */
    Mono<IOException> againstDeletedBlob(String name) {
        return Flux.fromIterable(of(name))
                .concatMap(other -> onDisk(() -> files.hasOther(name, other))
                        .filter(there -> there)
                        .flatMap(there -> blobs.has(other))
                        .filter(counterpart -> !counterpart)
                        .map(none -> reason("a file", other)))
                .next();
    }

    /** Returns why a file without a blob is not deleted: a blob of an equivalent name has no other file. */
    Mono<IOException> againstDeletedFile(String name) {
        return againstNewBlob(name);
    }

    /**
     * A file that stands under an equivalent name.
     *
     * @param same whether it is also the file of the name itself, as where the file system knows one form only
     */
    record EquivalentFile(String name, boolean same) {}

    /** Returns the file of an equivalent name, or {@code null}. */
    @Nullable
    EquivalentFile file(String name) throws IOException {
        for (String other : of(name)) {
            if (files.hasOther(name, other)) {
                return new EquivalentFile(other, false);
            }
            if (files.has(other)) {
                return new EquivalentFile(other, true);
            }
        }
        return null;
    }

    /**
     * Returns why a blob is not written to its file: the file is also that of another blob, or another file has no
     * blob.
     */
    Mono<IOException> againstWrittenFile(EquivalentFile file) {
        return blobs.has(file.name())
                .filter(hasBlob -> hasBlob == file.same())
                .map(none -> reason(file.same() ? "a blob" : "a file", file.name()));
    }

    private static IOException reason(String what, String other) {
        return new IOException(
                PrintableText.of(what + " '" + other + "' is there, whose name is equal but for the form of"
                        + " its Unicode text (NFC or NFD): neither is changed; give both names the same form"));
    }

    private <T> Mono<T> onDisk(DiskWork<T> work) {
        return DiskWork.later("look at names below " + files.root(), work);
    }
}
