package io.stowline.records.internal.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which the blobs of a window are read.
 *
 * @param groups groups of sessions whose records are merged, each session with its blobs of one interval; of one session where nothing is
 *     merged
 * @param openings the blobs in the order in which they are needed
 */
record WindowOrder(List<List<List<RecordBlob>>> groups, List<RecordBlob> openings) {

    private static final Comparator<RecordBlob> ORDER = Comparator.comparing(
                    (RecordBlob blob) -> blob.chunk().interval())
            .thenComparing(blob -> blob.chunk().session())
            .thenComparingLong(blob -> blob.chunk().sequence());

    static WindowOrder of(List<RecordBlob> blobs, boolean merged) {
        List<List<RecordBlob>> sessions = new ArrayList<>();
        RecordBlob previous = null;
        for (RecordBlob blob : blobs.stream().sorted(ORDER).toList()) {
            if (previous == null
                    || !previous.chunk().interval().equals(blob.chunk().interval())
                    || !previous.chunk().session().equals(blob.chunk().session())) {
                sessions.add(new ArrayList<>());
            }
            sessions.get(sessions.size() - 1).add(blob);
            previous = blob;
        }
        return grouped(sessions, merged);
    }

    private static WindowOrder grouped(List<List<RecordBlob>> sessions, boolean merged) {
        List<List<List<RecordBlob>>> groups = new ArrayList<>();
        for (List<RecordBlob> session : sessions) {
            if (!merged || groups.isEmpty() || !sameInterval(groups.get(groups.size() - 1), session)) {
                groups.add(new ArrayList<>());
            }
            groups.get(groups.size() - 1).add(session);
        }
        List<RecordBlob> openings = new ArrayList<>();
        for (List<List<RecordBlob>> group : groups) {
            int longest = group.stream().mapToInt(List::size).max().orElse(0);
            for (int i = 0; i < longest; i++) {
                for (List<RecordBlob> session : group) {
                    if (i < session.size()) {
                        openings.add(session.get(i));
                    }
                }
            }
        }
        return new WindowOrder(groups, openings);
    }

    private static boolean sameInterval(List<List<RecordBlob>> group, List<RecordBlob> session) {
        return group.get(0)
                .get(0)
                .chunk()
                .interval()
                .equals(session.get(0).chunk().interval());
    }
}
