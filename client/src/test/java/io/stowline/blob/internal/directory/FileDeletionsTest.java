package io.stowline.blob.internal.directory;

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
    @DisplayName("names between a file and what lies below it do not make it forgotten; a later one does")
    void forgets() {
        deletions.add("a", Mono.never()).subscribe();
        deletions.add("a!", Mono.never()).subscribe();
        deletions.add("a-", Mono.never()).subscribe();
        assertThat(deletions.above("a/x")).hasSize(1);
        assertThat(deletions.above("a/y")).hasSize(1);

        assertThat(deletions.above("ab/x")).isEmpty();
        assertThat(deletions.above("a/z")).isEmpty();
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
