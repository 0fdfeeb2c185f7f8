package io.stowline.blob.internal.folder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class FileDeletionsTest {

    private final FileDeletions deletions = new FileDeletions();

    @Test
    @DisplayName("a blob waits for the files that stand where it needs folders, and for no other one")
    void waits() {
        Sinks.Empty<Void> end = Sinks.empty();
        List<String> ended = new ArrayList<>();
        deletions.add("a", end.asMono()).subscribe();
        deletions.add("a!", Mono.empty()).subscribe();

        Flux.concat(deletions.above("a/b/c")).subscribe(nothing -> {}, error -> {}, () -> ended.add("below"));
        assertThat(deletions.above("a0")).isEmpty();
        assertThat(ended).isEmpty();
        end.tryEmitEmpty();

        assertThat(ended).containsExactly("below");
    }

    @Test
    @DisplayName("a deletion is known until its end, whatever names come in between, and forgotten then")
    void forgets() {
        Sinks.Empty<Void> end = Sinks.empty();
        deletions.add("a.d", end.asMono()).subscribe();
        deletions.add("a/x", Mono.empty()).subscribe();
        deletions.add("b", Mono.empty()).subscribe();
        assertThat(deletions.above("z/x")).isEmpty();
        assertThat(deletions.above("a.d/x")).hasSize(1);

        end.tryEmitEmpty();

        assertThat(deletions.above("a.d/x")).isEmpty();
    }

    @Test
    @DisplayName("a deletion that fails or is cancelled lets what waits for it go on")
    void fails() {
        List<String> ended = new ArrayList<>();
        deletions
                .add("a", Mono.error(new IllegalStateException()))
                .onErrorComplete()
                .subscribe();
        deletions.add("a/b", Mono.never()).subscribe().dispose();

        Flux.concat(deletions.above("a/b/c")).subscribe(nothing -> {}, error -> {}, () -> ended.add("below"));

        assertThat(ended).containsExactly("below");
    }
}
