package io.stowline.benchmarks.ledger;

import io.stowline.benchmarks.ledger.Told.Sort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A seed's facts made by hand: one worker, one step for each operation, times in order unless they are said. */
final class HandMade {

    static final Key KEY = new Key("p", "r");

    private final List<Case> cases = new ArrayList<>();
    private final List<Script.Arrival> arrivals = new ArrayList<>();
    private final List<Sending> writes = new ArrayList<>();
    private final Map<Key, Row> rows = new HashMap<>();
    private final Map<String, String> blobs = new HashMap<>();
    private final List<Message> messages = new ArrayList<>();
    private final Set<String> beyond = new HashSet<>();
    private long time;
    private int step;

    static Change insert(String value) {
        return new Change(Verb.INSERT, KEY, value, "");
    }

    static Change replace(String value) {
        return new Change(Verb.REPLACE_ANY, KEY, value, "");
    }

    static Change delete() {
        return new Change(Verb.DELETE, KEY, "", "");
    }

    static Op op(Kind kind, Change... changes) {
        return Op.of("op", kind, Patience.USUAL, changes);
    }

    static Told told(Sort sort) {
        return Told.of(sort, "");
    }

    /** An operation, carried out so many times while it ran. */
    HandMade did(Op op, Told told, int times) {
        long start = ++time;
        arrivals.add(new Script.Arrival(id(), step, start, "came"));
        for (int i = 0; i < times; i++) {
            applied(id(), op);
        }
        cases.add(new Case(0, step++, op, told, start, ++time));
        return this;
    }

    /** The operation before, carried out once more after it had ended. */
    HandMade late() {
        Case last = cases.get(cases.size() - 1);
        applied("id-" + last.step(), last.op());
        return this;
    }

    /** As {@link #late()}, and later than anybody could have promised. */
    HandMade muchTooLate() {
        beyond.add("id-" + (step - 1));
        return late();
    }

    /** Somebody else's write. */
    HandMade rival(Change change) {
        applied("rival-" + time, Op.of("rival", Kind.UPSERT, Patience.USUAL, change));
        return this;
    }

    private String id() {
        return "id-" + step;
    }

    private void applied(String requestId, Op op) {
        long begin = ++time;
        List<String> etags = op.changes().stream().map(change -> etag(begin)).toList();
        writes.add(new Sending(requestId, op.changes(), etags, begin, ++time, "write", true));
    }

    static String etag(long begin) {
        return "W/\"" + begin + "\"";
    }

    HandMade row(String property, String value) {
        rows.put(KEY, new Row(Map.of(property, value)));
        return this;
    }

    HandMade blob(String name, String content) {
        blobs.put(name, content);
        return this;
    }

    HandMade message(String id, String body) {
        messages.add(new Message(id, body));
        return this;
    }

    Facts facts() {
        return new Facts(cases, Map.of(0, arrivals), writes, new Facts.End(rows, blobs, messages), beyond);
    }

    /** The rules that are violated. */
    List<Violation.Rule> violated(Check check) {
        List<Violation.Rule> found = new ArrayList<>();
        check.of(new Books(facts()), violation -> found.add(violation.rule()));
        return found;
    }
}
