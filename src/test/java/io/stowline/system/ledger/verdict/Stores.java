package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.function.Consumer;

/** The check that the state at the end follows from the writes, and the writes from the operations. */
final class Stores implements Check {

    @Override
    public void of(SeedFacts books, Consumer<Violation> found) {
        books.strays().forEach(write -> found.accept(new Violation(Rule.UNREQUESTED, null, write.toString())));
        books.unexplained()
                .forEach(key -> found.accept(new Violation(Rule.STATE_UNEXPLAINED, null, story(books, key))));
        for (Case one : books.facts().cases()) {
            switch (one.op().kind()) {
                case APPEND, APPEND_SHARED -> append(books, one, found);
                case DELETE_MESSAGE -> deletion(books, one, found);
                case SEND -> send(books, one, found);
                default -> {
                    // Tables are explained as a whole.
                }
            }
        }
    }

    private static String story(SeedFacts books, Key key) {
        StringBuilder story = new StringBuilder(key + ": no order of its writes leads to ")
                .append(books.facts().end().rows().get(key));
        books.applied(key).forEach(write -> story.append("\n    ").append(write));
        return story.toString();
    }

    private static void append(SeedFacts books, Case one, Consumer<Violation> found) {
        String blob = books.facts().end().blobs().getOrDefault(one.op().target(), "");
        String block = one.op().payload();
        long times = times(blob, block);
        if (times != books.applied(one)) {
            found.accept(new Violation(
                    Rule.STATE_UNEXPLAINED, one.op().kind(), times + " times in the blob: " + books.story(one)));
        }
        long offset = one.reported().offset();
        if (one.reported().isSuccess() && offset >= 0 && !blob.startsWith(block, (int) offset)) {
            found.accept(new Violation(Rule.APPENDED_ELSEWHERE, one.op().kind(), books.story(one)));
        }
    }

    private static long times(String text, String part) {
        long times = 0;
        for (int at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length())) {
            times++;
        }
        return times;
    }

    private static void deletion(SeedFacts books, Case one, Consumer<Violation> found) {
        boolean there = books.facts().end().messages().stream()
                .anyMatch(message -> message.id().equals(one.op().target()));
        if (there && one.reported().isSuccess()) {
            found.accept(new Violation(Rule.DELETED_BUT_THERE, Kind.DELETE_MESSAGE, books.story(one)));
        }
    }

    private static void send(SeedFacts books, Case one, Consumer<Violation> found) {
        String body = one.op().payload();
        long there = books.facts().end().messages().stream()
                .filter(message -> message.body().equals(body))
                .count();
        long deleted = books.facts().cases().stream()
                .filter(other -> other.op().kind() == Kind.DELETE_MESSAGE)
                .filter(other -> other.op().payload().equals(body) && books.applied(other) > 0)
                .map(other -> other.op().target())
                .distinct()
                .count();
        if (there + deleted != books.applied(one)) {
            found.accept(new Violation(
                    Rule.STATE_UNEXPLAINED,
                    Kind.SEND,
                    there + " there and " + deleted + " deleted: " + books.story(one)));
        }
    }
}
