package io.stowline.system.ledger.subject;

import com.azure.core.util.Context;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableEntityUpdateMode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionAction;
import com.azure.data.tables.models.TableTransactionActionType;
import com.azure.data.tables.models.TableTransactionFailedException;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Verb;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The changes, carried out by the SDK's client as its samples do it. */
final class SdkTables {

    private static final int NOT_FOUND = 404;

    private final TableClient table;

    SdkTables(TableClient table) {
        this.table = table;
    }

    ReportedResult perform(Op op) {
        if (op.kind() == Kind.TRANSACTION) {
            table.submitTransaction(op.changes().stream().map(SdkTables::action).toList());
            return ReportedResult.done(false, "");
        }
        return op.kind() == Kind.CACHED_READ ? read(Key.of(op.target())) : one(op.change());
    }

    /** The SDK has no cache. */
    private ReportedResult read(Key key) {
        try {
            TableEntity entity = table.getEntity(key.partition(), key.row());
            return new ReportedResult(ReportedResult.Sort.DONE, false, entity.getETag(), -1, "read");
        } catch (TableServiceException e) {
            if (e.getResponse().getStatusCode() == NOT_FOUND) {
                return ReportedResult.of(ReportedResult.Sort.ABSENT, "read");
            }
            throw e;
        }
    }

    private ReportedResult one(Change change) {
        TableEntity entity = entity(change);
        switch (change.verb()) {
            case INSERT -> table.createEntity(entity);
            case UPDATE ->
                table.updateEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, true, null, Context.NONE);
            case MERGE -> table.updateEntityWithResponse(entity, TableEntityUpdateMode.MERGE, true, null, Context.NONE);
            case REPLACE_ANY ->
                table.upsertEntityWithResponse(entity, TableEntityUpdateMode.REPLACE, null, Context.NONE);
            case MERGE_ANY -> table.upsertEntityWithResponse(entity, TableEntityUpdateMode.MERGE, null, Context.NONE);
            case DELETE, DELETE_VERSION -> {
                boolean bound = change.verb() == Verb.DELETE_VERSION;
                int status = table.deleteEntityWithResponse(entity, bound, null, Context.NONE)
                        .getStatusCode();
                return status == NOT_FOUND
                        ? ReportedResult.of(ReportedResult.Sort.ABSENT, "404 as success")
                        : ReportedResult.done(false, "");
            }
        }
        return ReportedResult.done(false, "");
    }

    private static TableTransactionAction action(Change change) {
        TableTransactionActionType type =
                switch (change.verb()) {
                    case INSERT -> TableTransactionActionType.CREATE;
                    case UPDATE -> TableTransactionActionType.UPDATE_REPLACE;
                    case MERGE -> TableTransactionActionType.UPDATE_MERGE;
                    case REPLACE_ANY -> TableTransactionActionType.UPSERT_REPLACE;
                    case MERGE_ANY -> TableTransactionActionType.UPSERT_MERGE;
                    case DELETE, DELETE_VERSION -> TableTransactionActionType.DELETE;
                };
        return new TableTransactionAction(type, entity(change), change.verb().isBound());
    }

    private static TableEntity entity(Change change) {
        TableEntity entity =
                new TableEntity(change.key().partition(), change.key().row());
        if (!change.verb().isDelete()) {
            entity.addProperty(change.verb().property(), change.value());
        }
        return change.ifMatch().isEmpty() ? entity : entity.addProperty("odata.etag", change.ifMatch());
    }

    /** Writes in as few transactions as may be, each entity once in each; what was refused is left out, and the rest tried again. */
    void perform(List<Op> ops, Map<Op, ReportedResult> reported) {
        List<Op> batch = new ArrayList<>();
        Set<Key> keys = new HashSet<>();
        for (Op op : ops) {
            if (!keys.add(op.change().key())) {
                commit(batch, reported);
                keys.clear();
                keys.add(op.change().key());
                batch = new ArrayList<>();
            }
            batch.add(op);
        }
        commit(batch, reported);
    }

    private void commit(List<Op> batch, Map<Op, ReportedResult> reported) {
        List<Op> left = new ArrayList<>(batch);
        while (!left.isEmpty()) {
            try {
                table.submitTransaction(
                        left.stream().map(op -> action(op.change())).toList());
                left.forEach(op -> reported.put(op, ReportedResult.done(false, "")));
                return;
            } catch (TableTransactionFailedException e) {
                Integer failed = e.getFailedTransactionActionIndex();
                int culprit = failed == null ? 0 : failed;
                reported.put(
                        left.remove(culprit),
                        ReportedResult.of(ReportedResult.Sort.REFUSED, String.valueOf(e.getMessage())));
            } catch (RuntimeException e) {
                left.forEach(op -> reported.put(op, SdkSubject.reported(e)));
                return;
            }
        }
    }
}
