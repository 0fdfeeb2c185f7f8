package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.CallerTimeout;
import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Sending;
import io.stowline.system.ledger.script.Verb;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A seed's facts made by hand: one worker, one step for each operation, times in order unless they are given. */
public final class HandMade {

    static final Key KEY = new Key("p", "r");

    private final List<Case> cases = new ArrayList<>();
    private final List<OperationScript.Arrival> arrivals = new ArrayList<>();
    private final List<Sending> writes = new ArrayList<>();
    private final Map<Key, Row> rows = new HashMap<>();
    private final Map<String, String> blobs = new HashMap<>();
    private final List<Message> messages = new ArrayList<>();
    private final Set<String> beyond = new HashSet<>();
    private long time;
    private int step;

    public static Change insert(String value) {
        return new Change(Verb.INSERT, KEY, value, "");
    }

    public static Change replace(String value) {
        return new Change(Verb.REPLACE_ANY, KEY, value, "");
    }

    static Change delete() {
        return new Change(Verb.DELETE, KEY, "", "");
    }

    public static Op op(Kind kind, Change... changes) {
        return Op.of("op", kind, CallerTimeout.USUAL, changes);
    }

    public static ReportedResult reported(Sort sort) {
        return ReportedResult.of(sort, "");
    }

    /** Adds an operation that was carried out so many times while it ran. */
    public HandMade did(Op op, ReportedResult reported, int times) {
        long start = ++time;
        arrivals.add(new OperationScript.Arrival(id(), step, start, "came"));
        for (int i = 0; i < times; i++) {
            applied(id(), op);
        }
        cases.add(new Case(0, step++, op, reported, start, ++time));
        return this;
    }

    /** Adds an operation in one step with the next one, as {@link #did} does. */
    HandMade together(Op op, ReportedResult reported, int times) {
        did(op, reported, times);
        step--;
        return this;
    }

    /** Adds a write for the last operation, of another form than was requested. */
    HandMade late(Change change) {
        applied("id-" + (step - 1), op(Kind.UPSERT, change));
        return this;
    }

    /** Adds a late execution of the last operation, after it had ended. */
    HandMade late() {
        Case last = cases.get(cases.size() - 1);
        applied("id-" + last.step(), last.op());
        return this;
    }

    /** Adds an execution of the last operation by the next process, under another name. */
    HandMade replayed() {
        Case last = cases.get(cases.size() - 1);
        arrivals.add(new OperationScript.Arrival("replay", last.step(), ++time, "came"));
        applied("replay", last.op());
        return this;
    }

    /** Adds a request during the last operation that the client sends for an earlier one. */
    HandMade besides(Op earlier) {
        applied("id-" + (step - 1), earlier);
        return this;
    }

    /** Adds a late execution as {@link #late()} does, later than any client could promise. */
    HandMade muchTooLate() {
        beyond.add("id-" + (step - 1));
        return late();
    }

    /** Adds a read by the worker that was reported to have shown a version. */
    HandMade read(String etag) {
        Op op = Op.elsewhere("op", Kind.CACHED_READ, KEY.toString(), "");
        ReportedResult reported = etag.isEmpty()
                ? ReportedResult.of(Sort.ABSENT, "")
                : new ReportedResult(Sort.DONE, false, etag, -1, "");
        return did(op, reported, 0);
    }

    /** Lets some milliseconds pass. */
    HandMade after(long millis) {
        time += TimeUnit.MILLISECONDS.toNanos(millis);
        return this;
    }

    /** Returns the version that the newest write left. */
    String newest() {
        List<String> etags = writes.get(writes.size() - 1).etags();
        return etags.get(etags.size() - 1);
    }

    /** Adds a write by another writer. */
    HandMade rival(Change change) {
        applied("rival-" + time, Op.of("rival", Kind.UPSERT, CallerTimeout.USUAL, change));
        return this;
    }

    private String id() {
        return "id-" + step;
    }

    private void applied(String requestId, Op op) {
        long begin = ++time;
        List<String> etags = op.changes().stream().map(change -> etag(begin)).toList();
        String line = "0.1 ms " + (op.kind() == Kind.SEND ? "POST " : "PUT ") + "/account/" + op.target();
        writes.add(new Sending(requestId, op.changes(), etags, begin, ++time, line, true));
    }

    static String etag(long begin) {
        return "W/\"" + begin + "\"";
    }

    public HandMade row(String property, String value) {
        return row(KEY, Map.of(property, value));
    }

    public HandMade row(Key key, Map<String, String> properties) {
        rows.put(key, new Row(properties));
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

    public Facts facts() {
        return new Facts(cases, Map.of(0, arrivals), writes, new Facts.End(rows, blobs, messages), beyond);
    }

    /** Returns the violated rules. */
    List<Violation.Rule> violated(Check check) {
        List<Violation.Rule> found = new ArrayList<>();
        check.of(new SeedFacts(facts()), violation -> found.add(violation.rule()));
        return found;
    }
}
