package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.ReactiveStowline;
import io.stowline.Stowline;
import io.stowline.access.AccessPolicies;
import io.stowline.access.ReactiveAccessPolicies;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobCopy;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobLease;
import io.stowline.blob.BlobReplicas;
import io.stowline.blob.BlobRevision;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaderElection;
import io.stowline.blob.PageBlob;
import io.stowline.blob.ReactiveAppendBlob;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.ReactiveBlobCopy;
import io.stowline.blob.ReactiveBlobDownload;
import io.stowline.blob.ReactiveBlobLease;
import io.stowline.blob.ReactiveBlobReplicas;
import io.stowline.blob.ReactiveBlobRevision;
import io.stowline.blob.ReactiveCachedContainer;
import io.stowline.blob.ReactiveFencedBlob;
import io.stowline.blob.ReactiveLeaderElection;
import io.stowline.blob.ReactivePageBlob;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.queue.ReactivePoisonQueue;
import io.stowline.queue.ReactiveShardedQueue;
import io.stowline.queue.ShardedQueue;
import io.stowline.service.Cors;
import io.stowline.service.ReactiveCors;
import io.stowline.service.ReactiveServiceProperties;
import io.stowline.service.ServiceProperties;
import io.stowline.spring.boot.repository.ReactiveTableRepository;
import io.stowline.spring.boot.repository.TableRepository;
import io.stowline.table.CachedTable;
import io.stowline.table.EntityMerge;
import io.stowline.table.IndexedTable;
import io.stowline.table.Query;
import io.stowline.table.ReactiveCachedTable;
import io.stowline.table.ReactiveEntityMerge;
import io.stowline.table.ReactiveIndexedTable;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.ReactiveRollingSeries;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.ReactiveTimeSeries;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.RollingSeries;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.TimeSeries;
import io.stowline.table.Transaction;
import io.stowline.table.outbox.Outbox;
import io.stowline.table.outbox.ReactiveOutbox;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DisplayName("DESIGN: both faces of a holder have the same verbs")
class FacesTest {

    private static final Map<String, String> TWINS = faces().map(Arguments::get)
            .collect(Collectors.toMap(pair -> simpleName(pair[0]), pair -> simpleName(pair[1])));

    /**
     * Members that only one side can have: the way to the other face, static entries, waiting itself, a stream of
     * operations, handlers, the work of a leader, channels, trees, and transfers of tables. Publishers are given to reactive faces only.
     */
    private static final Set<String> ONE_SIDED = Set.of(
            "reactive",
            "connect",
            "builder",
            "of",
            "failingFast",
            "write",
            "consume",
            "consumeBatches",
            "whileLeading",
            "tryLeading",
            "channel",
            "tree",
            "tables",
            "toString",
            "equals",
            "hashCode");

    static Stream<Arguments> faces() {
        return Stream.of(
                Arguments.of(Stowline.class, ReactiveStowline.class),
                Arguments.of(Cors.class, ReactiveCors.class),
                Arguments.of(ServiceProperties.class, ReactiveServiceProperties.class),
                Arguments.of(AccessPolicies.class, ReactiveAccessPolicies.class),
                Arguments.of(Table.class, ReactiveTable.class),
                Arguments.of(IndexedTable.class, ReactiveIndexedTable.class),
                Arguments.of(Query.class, ReactiveQuery.class),
                Arguments.of(TableWriter.class, ReactiveTableWriter.class),
                Arguments.of(Transaction.class, ReactiveTransaction.class),
                Arguments.of(Outbox.class, ReactiveOutbox.class),
                Arguments.of(CachedTable.class, ReactiveCachedTable.class),
                Arguments.of(CachedContainer.class, ReactiveCachedContainer.class),
                Arguments.of(EntityMerge.class, ReactiveEntityMerge.class),
                Arguments.of(TimeSeries.class, ReactiveTimeSeries.class),
                Arguments.of(RollingSeries.class, ReactiveRollingSeries.class),
                Arguments.of(MessageQueue.class, ReactiveMessageQueue.class),
                Arguments.of(ShardedQueue.class, ReactiveShardedQueue.class),
                Arguments.of(PoisonQueue.class, ReactivePoisonQueue.class),
                Arguments.of(BlobContainer.class, ReactiveBlobContainer.class),
                Arguments.of(BlobReplicas.class, ReactiveBlobReplicas.class),
                Arguments.of(BlobRevision.class, ReactiveBlobRevision.class),
                Arguments.of(BlobCopy.class, ReactiveBlobCopy.class),
                Arguments.of(BlobDownload.class, ReactiveBlobDownload.class),
                Arguments.of(BlobLease.class, ReactiveBlobLease.class),
                Arguments.of(LeaderElection.class, ReactiveLeaderElection.class),
                Arguments.of(FencedBlob.class, ReactiveFencedBlob.class),
                Arguments.of(AppendBlob.class, ReactiveAppendBlob.class),
                Arguments.of(PageBlob.class, ReactivePageBlob.class),
                Arguments.of(TableRepository.class, ReactiveTableRepository.class));
    }

    private static String simpleName(Object face) {
        return ((Class<?>) face).getSimpleName();
    }

    @ParameterizedTest
    @MethodSource("faces")
    void sameVerbsWithTheSameMeaning(Class<?> blocking, Class<?> reactive) {
        Map<String, String> reactiveVerbs = verbs(reactive);

        assertThat(verbs(blocking)).isNotEmpty().containsExactlyInAnyOrderEntriesOf(reactiveVerbs);
    }

    private static Map<String, String> verbs(Class<?> face) {
        Map<String, String> verbs = new TreeMap<>();
        for (Method method : face.getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers())
                    && !method.isSynthetic()
                    && !ONE_SIDED.contains(method.getName())) {
                String parameters = Stream.of(method.getGenericParameterTypes())
                        .map(type -> type == face ? "this face" : parameter(type))
                        .collect(Collectors.joining(", "));
                if (parameters.contains(Publisher.class.getName())) {
                    continue;
                }
                verbs.put(method.getName() + "(" + parameters + ")", meaning(method.getGenericReturnType()));
            }
        }
        return verbs;
    }

    /** The result without the wrapping that separates a blocking from a reactive method, at its end or at the end of the builder that it begins. */
    private static String meaning(Type type) {
        if (type instanceof ParameterizedType wrapped) {
            String inner = wrapped.getActualTypeArguments()[0].getTypeName();
            if (wrapped.getRawType() == Mono.class
                    || wrapped.getRawType() == Optional.class
                    || wrapped.getRawType() == Submission.class) {
                return simple(inner);
            }
            if (wrapped.getRawType() == Flux.class || wrapped.getRawType() == Stream.class) {
                return "many " + simple(inner);
            }
        }
        return simple(type.getTypeName());
    }

    /** A parameter that is a reactive face counts as the blocking one. */
    private static String parameter(Type type) {
        String name = type.getTypeName();
        String inner = name.substring(name.lastIndexOf('.') + 1);
        return TWINS.containsKey(inner) || TWINS.containsValue(inner) ? simple(name) : blocking(name);
    }

    private static String simple(String name) {
        String reduced = blocking(name.replaceAll("[a-z]+\\.", "").replaceAll("<Mono<(\\w+)>>$", "<$1>"));
        return switch (reduced) {
            case "InputStream" -> "many ByteBuffer";
            case "boolean" -> "Boolean";
            case "long" -> "Long";
            case "void" -> "Void";
            default -> reduced;
        };
    }

    private static String blocking(String name) {
        String reduced = name;
        for (Map.Entry<String, String> twin : TWINS.entrySet()) {
            reduced = reduced.replaceAll("\\b" + twin.getValue() + "\\b", twin.getKey());
        }
        return reduced;
    }
}
