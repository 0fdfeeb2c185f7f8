package io.stowline.blob.internal.directory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The files that a mirrored download deletes: a file {@code x} goes before the folder {@code x} is made for the blob {@code x/y}. Names come in
 * their order, so that a file is forgotten once the plan is past all that may lie below its name. One for each plan; used by one thread at a
 * time.
 */
final class FileDeletions {

    /** The character behind the slash: what begins with a name and a slash sorts before the name and this. */
    static final char BEHIND_SLASH = '/' + 1;

    private final Deque<Deletion> latest = new ArrayDeque<>();

    private record Deletion(String name, Sinks.Empty<Void> ended) {}

    /** The deletion of a file. */
    <T> Mono<T> add(String name, Mono<T> deletion) {
        forget(name);
        Deletion added = new Deletion(name, Sinks.empty());
        latest.add(added);
        return deletion.doFinally(end -> added.ended.tryEmitEmpty());
    }

    /** The deletions of files that stand where a blob needs folders; each ends when its deletion has, in whatever way. */
    List<Mono<Void>> above(String name) {
        if (latest.isEmpty()) {
            return List.of();
        }
        forget(name);
        return latest.stream()
                .filter(deletion -> name.startsWith(deletion.name + "/"))
                .map(deletion -> deletion.ended.asMono())
                .toList();
    }

    private void forget(String name) {
        latest.removeIf(deletion -> name.compareTo(deletion.name + BEHIND_SLASH) >= 0);
    }
}
