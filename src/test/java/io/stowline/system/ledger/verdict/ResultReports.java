package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Etags;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Sending;
import io.stowline.system.ledger.script.Verb;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The check of each result against the effects on the service. */
final class ResultReports implements Check {

    @Override
    public void of(SeedFacts books, Consumer<Violation> found) {
        for (Case one : books.facts().cases()) {
            Rule broken = broken(books, one);
            if (broken != null) {
                found.accept(new Violation(broken, one.op().kind(), books.story(one)));
            }
        }
    }

    private static @Nullable Rule broken(SeedFacts books, Case one) {
        if (one.op().kind() == Kind.CACHED_READ) {
            return null;
        }
        if (one.op().kind() == Kind.DELETE_BLOB && one.reported().isSuccess()) {
            return ofDeletedBlob(books, one);
        }
        long applied = books.applied(one);
        ReportedResult reported = one.reported();
        if (reported.isSuccess() && applied > 1 && !reported.repeated() && !isReplayed(books, one)) {
            return Rule.APPLIED_TWICE_UNREPORTED;
        }
        return switch (reported.sort()) {
            case DONE, DONE_BY_MARK ->
                applied == 0 && !books.coalesced(one) ? Rule.DONE_BUT_NEVER_APPLIED : version(books, one);
            case CONTENT -> applied == 0 && !shown(books, one) ? Rule.CONTENT_WAS_NEVER_THERE : version(books, one);
            case ABSENT -> applied == 0 && !absent(books, one) ? Rule.WAS_NEVER_ABSENT : null;
            case REFUSED -> applied > 0 && !books.isBeyond(one) ? Rule.REFUSED_BUT_APPLIED : null;
            case NEVER -> Rule.NO_RESPONSE;
            case UNKNOWN -> null;
        };
    }

    /** Returns whether only a later process has carried an operation out once more. */
    private static boolean isReplayed(SeedFacts books, Case one) {
        boolean killed = one.op().kind() == Kind.JOURNALED && one.op().isCutShort();
        Verb verb = killed ? one.op().change().verb() : Verb.INSERT;
        if (verb.isBound() || verb == Verb.INSERT) {
            return false;
        }
        List<Sending> applied =
                books.sent(one).stream().filter(Sending::applied).toList();
        String first = applied.get(0).requestId();
        return applied.stream().skip(1).noneMatch(write -> write.requestId().equals(first));
    }

    /**
     * Deletions of blobs are reported as gone or as never present: the one has to be true during the call, the other
     * for this call too.
     */
    private static @Nullable Rule ofDeletedBlob(SeedFacts books, Case one) {
        if (one.reported().sort() == ReportedResult.Sort.ABSENT && books.applied(one) > 0) {
            return Rule.REFUSED_BUT_APPLIED;
        }
        return books.applied(one) == 0 && books.stood(one.op().target(), one.start(), one.end())
                ? Rule.WAS_NEVER_ABSENT
                : null;
    }

    /** All payloads differ, so that no other client can have written it. */
    private static boolean shown(SeedFacts books, Case one) {
        return !one.op().changes().isEmpty()
                && one.op().changes().stream().allMatch(change -> {
                    History history = books.history(change.key());
                    return history == null
                            || change.verb().isDelete()
                            || history.shownDuring(change, one.start(), one.end());
                });
    }

    private static boolean absent(SeedFacts books, Case one) {
        return one.op().changes().stream().allMatch(change -> {
            History history = books.history(change.key());
            return history == null || history.absentDuring(one.start(), one.end());
        });
    }

    /** The reported version has to be one with this content, and where the call is certain, one that it has made. */
    private static @Nullable Rule version(SeedFacts books, Case one) {
        String etag = one.reported().etag();
        if (etag.isEmpty() || one.op().changes().size() != 1 || books.coalesced(one)) {
            return null;
        }
        boolean own = books.sent(one).stream()
                .flatMap(write -> write.etags().stream())
                .anyMatch(left -> Etags.same(left, etag));
        History history = books.history(one.op().change().key());
        boolean same = one.reported().sort() == ReportedResult.Sort.CONTENT
                && (history == null || history.shownAs(one.op().change(), etag));
        return own || same ? null : Rule.VERSION_OF_ANOTHER;
    }
}
