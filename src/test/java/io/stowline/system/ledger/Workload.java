package io.stowline.system.ledger;

import io.stowline.system.ledger.script.CallerTimeout;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.Verb;
import io.stowline.system.ledger.script.Weather;
import io.stowline.system.ledger.verdict.IndexRows;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;

/** The steps of one worker, chosen by the seed, the ordinal of the step, and the present versions. */
final class Workload {

    static final String SHARED = "shared";
    static final String CLAIMS = "claims";
    static final String SHARED_BLOB = "all.log";
    private static final String SAME = "same";
    private static final int ROWS = 5;
    private static final int CLAIM_ROWS = 3;
    private static final int OWN_ROWS = 4;

    /** Steps of a hundred. */
    private static final int CUT_SHORT = 15;

    /** Steps of a hundred that write through a journal. */
    private static final int KILLED = 60;

    private final int worker;
    private final long seed;
    private final boolean alone;
    private final boolean wide;
    private final Function<Key, String> versions;
    private final Map<Key, String> stale = new HashMap<>();
    private final List<Key> mine = new ArrayList<>();

    Workload(int worker, long seed, Weather weather, Function<Key, String> versions) {
        this.worker = worker;
        this.seed = seed;
        this.alone = weather == Weather.REALISTIC;
        this.wide = weather.isWide();
        this.versions = versions;
    }

    static String ownPartition(int worker) {
        return "own-" + worker;
    }

    static String ownBlob(int worker) {
        return worker + ".log";
    }

    /** Returns the operations of one step: several only for the writer, none to receive messages. */
    List<Op> step(int ordinal) {
        Random random = new Random((seed * 131 + worker) * 10_007L + ordinal);
        String id = "w" + worker + "-" + ordinal;
        int choice = random.nextInt(100);
        if (!wide) {
            return step(id, choice, random);
        }
        boolean cutShort = isCutShort(ordinal, isJournaled(choice) ? KILLED : CUT_SHORT);
        List<Op> ops = wideStep(id, choice, random, cutShort);
        return cutShort ? ops.stream().map(Op::cutShort).toList() : ops;
    }

    /** Returns whether the client of a step ends during it. */
    boolean isCutShort(int ordinal) {
        return wide && isCutShort(ordinal, CUT_SHORT);
    }

    private boolean isCutShort(int ordinal, int percent) {
        return new Random((seed * 151 + worker) * 20_011L + ordinal).nextInt(100) < percent;
    }

    private static boolean isJournaled(int choice) {
        return choice >= 54 && choice < 56;
    }

    private List<Op> step(String id, int choice, Random random) {
        if (choice < 55) {
            return List.of(single(id, random));
        } else if (choice < 64) {
            return List.of(transaction(id, random));
        } else if (choice < 75) {
            return burst(id, Kind.WRITER, random, false);
        } else if (choice < 82) {
            return List.of(Op.elsewhere(id, Kind.SEND, "", id));
        } else if (choice < 90) {
            return List.of();
        }
        return List.of(
                choice < 97
                        ? Op.elsewhere(id, Kind.APPEND, ownBlob(worker), "[" + id + "]")
                        : Op.elsewhere(id, Kind.APPEND_SHARED, SHARED_BLOB, "[" + id + "]"));
    }

    private List<Op> wideStep(String id, int choice, Random random, boolean cutShort) {
        if (choice < 40) {
            return List.of(single(id, random));
        } else if (choice < 46) {
            return List.of(indexed(id, random));
        } else if (choice < 54) {
            return List.of(transaction(id, random));
        } else if (choice < 66) {
            Kind kind = isJournaled(choice) ? Kind.JOURNALED : choice < 60 ? Kind.COALESCED : Kind.WRITER;
            return burst(id, kind, random, cutShort);
        } else if (choice < 72) {
            return List.of(Op.elsewhere(id, Kind.SEND, "", id));
        } else if (choice < 79) {
            return List.of();
        } else if (choice < 88) {
            return List.of(Op.elsewhere(id, Kind.CACHED_READ, read(random).toString(), ""));
        }
        return List.of(ofBlobs(id, choice, random));
    }

    /** The entity to remove or change is found first, so that no version is named here. */
    private Op indexed(String id, Random random) {
        Verb[] verbs = {Verb.INSERT, Verb.REPLACE_ANY, Verb.REPLACE_ANY, Verb.UPDATE, Verb.UPDATE, Verb.DELETE_VERSION};
        Verb verb = verbs[random.nextInt(verbs.length)];
        Key key = new Key(mine(IndexRows.PARTITION), "k" + random.nextInt(CLAIM_ROWS));
        return Op.of(id, Kind.INDEXED, CallerTimeout.USUAL, new Change(verb, key, verb.isDelete() ? "" : id, ""));
    }

    /** An exclusive creation is an election as a claim is; a deletion makes room for the next. */
    private Op ofBlobs(String id, int choice, Random random) {
        if (choice < 94) {
            String blob = mine("b" + random.nextInt(CLAIM_ROWS));
            return choice < 92
                    ? Op.elsewhere(id, Kind.CREATE_BLOB, blob, "[" + id + "]")
                    : Op.elsewhere(id, Kind.DELETE_BLOB, blob, "");
        }
        return choice < 98 || alone
                ? Op.elsewhere(id, Kind.APPEND, ownBlob(worker), "[" + id + "]")
                : Op.elsewhere(id, Kind.APPEND_SHARED, SHARED_BLOB, "[" + id + "]");
    }

    private Key read(Random random) {
        return random.nextBoolean() ? shared(random) : new Key(ownPartition(worker), "o" + random.nextInt(OWN_ROWS));
    }

    private String mine(String name) {
        return alone ? name + "-" + worker : name;
    }

    private Op single(String id, Random random) {
        CallerTimeout patience = patience(random);
        int choice = random.nextInt(55);
        if (choice < 14) {
            Key key = new Key(mine(CLAIMS), "c" + random.nextInt(CLAIM_ROWS));
            return choice < 9
                    ? Op.of(id, Kind.CLAIM, patience, new Change(Verb.INSERT, key, id, ""))
                    : Op.of(id, Kind.DELETE, patience, new Change(Verb.DELETE, key, "", ""));
        }
        Change change = change(id, shared(random), random);
        return Op.of(id, kind(change.verb()), patience, change);
    }

    private CallerTimeout patience(Random random) {
        int choice = random.nextInt(100);
        return alone
                ? CallerTimeout.USUAL
                : choice < 10 ? CallerTimeout.HURRIED : choice < 35 ? CallerTimeout.ONE_ATTEMPT : CallerTimeout.USUAL;
    }

    private Key shared(Random random) {
        return new Key(mine(SHARED), "r" + random.nextInt(ROWS));
    }

    private Change change(String id, Key key, Random random) {
        String version = versions.apply(key);
        String older = stale.put(key, version);
        if (older != null && !older.isEmpty() && !alone && random.nextInt(100) < 15) {
            version = older;
        }
        Verb verb = version.isEmpty() ? onNothing(random) : onSomething(random);
        String value = verb.isDelete() ? "" : random.nextInt(100) < 15 ? SAME : id;
        return new Change(verb, key, value, verb.isBound() ? version : "");
    }

    private static Verb onNothing(Random random) {
        int choice = random.nextInt(10);
        return choice < 7 ? Verb.INSERT : choice < 8 ? Verb.DELETE : choice < 9 ? Verb.REPLACE_ANY : Verb.MERGE_ANY;
    }

    private static Verb onSomething(Random random) {
        Verb[] verbs = {
            Verb.UPDATE,
            Verb.UPDATE,
            Verb.UPDATE,
            Verb.MERGE,
            Verb.MERGE,
            Verb.DELETE,
            Verb.DELETE,
            Verb.DELETE_VERSION,
            Verb.DELETE_VERSION,
            Verb.REPLACE_ANY,
            Verb.MERGE_ANY,
            Verb.INSERT
        };
        return verbs[random.nextInt(verbs.length)];
    }

    private static Kind kind(Verb verb) {
        return switch (verb) {
            case INSERT -> Kind.INSERT;
            case UPDATE -> Kind.UPDATE;
            case MERGE -> Kind.MERGE;
            case REPLACE_ANY, MERGE_ANY -> Kind.UPSERT;
            case DELETE -> Kind.DELETE;
            case DELETE_VERSION -> Kind.DELETE_VERSION;
        };
    }

    private Op transaction(String id, Random random) {
        List<Change> changes = new ArrayList<>();
        int first = random.nextInt(ROWS);
        int count = 2 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            changes.add(change(id, new Key(mine(SHARED), "r" + (first + i) % ROWS), random));
        }
        return new Op(id, Kind.TRANSACTION, changes, "", "", patience(random));
    }

    /** Writes to its own entities: to some again and again, in order; now and then one that must fail. */
    private List<Op> burst(String id, Kind kind, Random random, boolean cutShort) {
        List<Op> ops = new ArrayList<>();
        int count = 8 + random.nextInt(8);
        // Each process of a journal and each client that ends is a separate one, which does not know what others have
        // on
        // the way to an entity.
        boolean apart = kind == Kind.JOURNALED || cutShort;
        String partition = apart ? "kept-" + id : ownPartition(worker);
        List<Key> there = apart ? new ArrayList<>() : mine;
        for (int i = 0; i < count; i++) {
            String one = id + "-" + i;
            ops.add(Op.of(one, kind, CallerTimeout.USUAL, ofBurst(one, partition, there, random)));
        }
        return ops;
    }

    private static Change ofBurst(String id, String partition, List<Key> mine, Random random) {
        int choice = random.nextInt(100);
        if (choice < 60) {
            return new Change(Verb.REPLACE_ANY, new Key(partition, "o" + random.nextInt(OWN_ROWS)), id, "");
        } else if (choice < 85 || mine.isEmpty()) {
            Key key = new Key(partition, "n-" + id);
            mine.add(key);
            return new Change(random.nextBoolean() ? Verb.INSERT : Verb.MERGE_ANY, key, id, "");
        } else if (choice < 93) {
            return new Change(Verb.DELETE, mine.remove(random.nextInt(mine.size())), "", "");
        }
        return new Change(Verb.INSERT, mine.get(random.nextInt(mine.size())), id, "");
    }
}
