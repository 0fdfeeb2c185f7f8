package io.stowline.system.ledger.lease;

import io.stowline.system.ledger.lease.LeaseBook.Holding;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Holds what the workers of one seed reported against what the service did. */
final class LeaseVerdict {

    private final LeaseBook book;
    private final Map<String, Origin> origins;
    private final List<LeaseSending> sendings;
    private final Set<String> beyond;
    private final List<String> arrivals;
    private final List<String> violations = new ArrayList<>();

    /**
     * Prepares the verdict.
     *
     * @param origins the step of each request, by its name
     * @param beyond the names of requests that reached the service after their horizon
     * @param arrivals the requests of the workers in words, for the stories
     */
    LeaseVerdict(
            LeaseBook book,
            Map<String, Origin> origins,
            List<LeaseSending> sendings,
            Set<String> beyond,
            List<String> arrivals) {
        this.book = book;
        this.origins = origins;
        this.sendings = sendings;
        this.beyond = beyond;
        this.arrivals = arrivals;
    }

    /** The worker and the step that a request came from. */
    record Origin(int worker, int step) {}

    /** The rules that a report can break. */
    enum Rule {
        DONE_BUT_NEVER_APPLIED,
        REFUSED_BUT_APPLIED,
        TWO_HOLDERS,
        TWO_CREATORS,
        SAME_TERM,
        REFUSED_WITHOUT_A_LATER_TERM,
        WRITTEN_AFTER_A_LATER_TERM
    }

    /** Returns the violations, each with its story. */
    List<String> violations() {
        List<LeaseCase> cases = book.cases();
        cases.forEach(this::judge);
        cases.stream()
                .filter(one -> one.kind().isCreation() && one.is(Sort.DONE))
                .collect(Collectors.groupingBy(one -> one.kind() + one.resource()))
                .values()
                .stream()
                .filter(creators -> creators.size() > 1)
                .forEach(creators -> violated(Rule.TWO_CREATORS, creators.get(0), creators.toString()));
        List<Holding> holdings = book.holdings();
        for (int i = 0; i < holdings.size(); i++) {
            for (Holding other : holdings.subList(0, i)) {
                judge(holdings.get(i), other);
            }
        }
        return violations;
    }

    private void judge(LeaseCase one) {
        List<LeaseSending> own = own(one);
        boolean applied = own.stream().anyMatch(LeaseSending::isApplied);
        boolean late = own.stream().anyMatch(sending -> beyond.contains(sending.requestId()));
        // Another client may have ended the lease: the end is what its caller wanted.
        boolean endsALease = one.kind() == LeaseKind.RELEASE || one.kind() == LeaseKind.BREAK;
        if (one.is(Sort.DONE) && !applied && !endsALease && one.kind() != LeaseKind.FENCE) {
            violated(Rule.DONE_BUT_NEVER_APPLIED, one, about(one.resource()));
        }
        if (one.is(Sort.REFUSED) && applied && !late && one.kind() != LeaseKind.FENCE) {
            violated(Rule.REFUSED_BUT_APPLIED, one, about(one.resource()));
        }
        if (one.kind() == LeaseKind.UPLOAD) {
            judgeFenced(one, own);
        }
    }

    private void judgeFenced(LeaseCase one, List<LeaseSending> own) {
        boolean laterWritten = sendings.stream()
                .anyMatch(sending -> sending.term() > one.term()
                        && sending.isApplied()
                        && sending.path().endsWith("/" + one.resource())
                        && sending.at() < one.end());
        if (one.is(Sort.REFUSED) && one.reported().text().contains("PreconditionFailed") && !laterWritten) {
            violated(Rule.REFUSED_WITHOUT_A_LATER_TERM, one, about(one.resource()));
        }
        own.stream()
                .filter(LeaseSending::isApplied)
                .filter(sending -> book.cases().stream()
                        .anyMatch(other -> (other.kind() == LeaseKind.UPLOAD || other.kind() == LeaseKind.FENCE)
                                && other.is(Sort.DONE)
                                && other.resource().equals(one.resource())
                                && other.term() > one.term()
                                && other.end() < sending.at()))
                .forEach(sending -> violated(Rule.WRITTEN_AFTER_A_LATER_TERM, one, sending.toString()));
    }

    private void judge(Holding one, Holding other) {
        if (one.term() > 0 && one.term() == other.term()) {
            violations.add(Rule.SAME_TERM + " " + one + " " + other);
        }
        boolean broken = sendings.stream()
                .anyMatch(sending -> sending.action().equals("break")
                        && sending.isApplied()
                        && sending.path().endsWith("/" + one.resource())
                        && sending.at() < Math.max(one.from(), other.from()));
        if (one.overlaps(other) && !broken) {
            violations.add(Rule.TWO_HOLDERS + " " + one + " " + other + about(one.resource()));
        }
    }

    private List<LeaseSending> own(LeaseCase one) {
        return sendings.stream()
                .filter(sending -> sending.isFor(one))
                .filter(sending -> !one.content().isEmpty()
                        || new Origin(one.worker(), one.step()).equals(origins.get(sending.requestId())))
                .toList();
    }

    private String about(String resource) {
        Stream<String> came = arrivals.stream().filter(arrival -> arrival.contains("/" + resource));
        return Stream.concat(
                        sendings.stream()
                                .filter(sending -> sending.path().endsWith("/" + resource))
                                .map(LeaseSending::toString),
                        came)
                .collect(Collectors.joining("\n  ", "\n  ", ""));
    }

    private void violated(Rule rule, LeaseCase one, String story) {
        violations.add(rule + " " + one + "\n  " + story);
    }
}
