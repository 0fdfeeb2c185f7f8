package io.stowline.kotlin

import io.stowline.ReactiveStowline
import io.stowline.blob.LeaderTerm
import io.stowline.blob.Transfer
import io.stowline.queue.QueueConsumer
import io.stowline.records.ReactiveRecordBlobs
import io.stowline.table.Submission
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.emptyFlow
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono
import sun.misc.Unsafe
import java.io.File
import java.io.InputStream
import java.io.OutputStream
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.lang.reflect.Proxy
import java.net.URI
import java.nio.file.FileSystems
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.time.Instant
import java.util.function.BiConsumer
import java.util.function.Consumer
import java.util.function.Function
import java.util.function.Predicate
import java.util.function.UnaryOperator
import kotlin.coroutines.Continuation
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.io.path.name
import kotlin.streams.asSequence

/** Each verb of the reactive faces that returns a `Mono` or a `Flux` has a twin, whose parameters are the same or have defaults. */
class TwinsTest {
    /** The names of twins that do not follow from that of the verb, which for a `Mono` is `await` and the verb. */
    private val names = mapOf(
        "ReactiveTableWriter.awaitReplay" to "awaitReplayed",
        "ReactiveRecordWriter.awaitReplay" to "awaitReplayed",
        "ReactiveTableWriter.write" to "write",
        "Transfer.whenComplete" to "awaitEnd",
        "QueueConsumer.stopAsync" to "awaitStop",
        "ReactiveBlobContainer.stream" to "flowBlobs",
        "ReactiveBlobContainer.open" to "flowContent",
        "ReactiveBlobContainer.entries" to "flowEntries",
        "ReactiveBlobContainer.walk" to "flowWalk",
        "ReactiveBlobContainer.findByTags" to "flowByTags",
        "ReactiveBlobContainer.revisions" to "flowRevisions",
        "ReactiveBlobRevision.open" to "flowContent",
        "ReactiveBlobReplicas.open" to "flowContent",
        "ReactivePageBlob.ranges" to "flowRanges",
        "ReactiveQuery.streamStored" to "flowStored",
        "ReactiveIndexedTable.range" to "flowRange",
        "ReactiveIndexedTable.rangeFrom" to "flowRangeFrom",
        "ReactiveIndexedTable.global" to "flowGlobal",
        "ReactiveRecordBlobs.readAfter" to "flowAfter",
    )

    /** Verbs without a twin, and why. */
    private val without = emptyMap<String, String>()

    /** Kotlin's forms of Java's parameters; a suspending function takes its continuation, too. */
    private val forms = mapOf(
        UnaryOperator::class.java to listOf("Function1"),
        Function::class.java to listOf("Function1", "Function2"),
        Predicate::class.java to listOf("Function1"),
        Consumer::class.java to listOf("Function1"),
        BiConsumer::class.java to listOf("Function2"),
        org.reactivestreams.Publisher::class.java to listOf("Flow"),
    )

    private val faces = listOf(ReactiveStowline::class.java, ReactiveRecordBlobs::class.java).flatMap(::reactiveTypes) +
        listOf(Transfer::class.java, LeaderTerm::class.java, QueueConsumer::class.java, Submission::class.java)

    private val twins: List<Method> = classes(TwinsTest::class.java.classLoader.getResource("io/stowline/kotlin/TablesKt.class")!!.path.let(::File).parentFile)
        .filter { it.endsWith("Kt") && '$' !in it && it != "InternalKt" }
        .flatMap { Class.forName("io.stowline.kotlin.$it").declaredMethods.toList() }
        .filter { Modifier.isPublic(it.modifiers) }

    private fun classes(folder: File): List<String> =
        folder.list()!!.filter { it.endsWith(".class") }.map { it.removeSuffix(".class") }

    private fun reactiveTypes(sample: Class<*>): List<Class<*>> {
        val place = Path.of(sample.protectionDomain.codeSource.location.toURI())
        return if (Files.isDirectory(place)) {
            reactiveTypes(place, sample)
        } else {
            FileSystems.newFileSystem(place).use { reactiveTypes(it.getPath("/"), sample) }
        }
    }

    private fun reactiveTypes(root: Path, sample: Class<*>): List<Class<*>> = Files.walk(root).use { files ->
        files.asSequence()
            .filter { it.name.startsWith("Reactive") && it.name.endsWith(".class") && "internal" !in "$it" && '$' !in it.name }
            .map { root.relativize(it).joinToString(".").removeSuffix(".class") }
            .map { Class.forName(it, false, sample.classLoader) }
            .filter { Modifier.isPublic(it.modifiers) }
            .toList()
    }

    private fun verbs(face: Class<*>) = face.declaredMethods.filter {
        Modifier.isPublic(it.modifiers) && !it.isSynthetic && (it.returnType == Mono::class.java || it.returnType == Flux::class.java)
    }

    private fun name(verb: Method): String {
        val key = "${verb.declaringClass.simpleName}.${verb.name}"
        return names[key] ?: if (verb.returnType == Flux::class.java) "flow" else "await" + verb.name.replaceFirstChar(Char::uppercase)
    }

    private fun holds(receiver: Class<*>, face: Class<*>) =
        receiver == face || receiver.methods.any { it.name == "reactive" && it.parameterCount == 0 && it.returnType == face }

    private fun isTwin(twin: Method, verb: Method): Boolean {
        if (twin.name != name(verb) || !holds(twin.parameterTypes.firstOrNull() ?: return false, verb.declaringClass)) {
            return false
        }
        val suspending = twin.parameterTypes.last() == Continuation::class.java
        if (suspending != (verb.returnType == Mono::class.java)) {
            return false
        }
        val taken = twin.parameterTypes.drop(1).filter { it != Continuation::class.java }
        val wanted = verb.parameterTypes.toList()
        var next = 0
        val more = taken.filterNot { type -> next < wanted.size && fits(type, wanted[next]).also { if (it) next++ } }
        return next == wanted.size && (more.isEmpty() || isDefaulted(twin))
    }

    private fun isDefaulted(twin: Method) =
        twin.declaringClass.declaredMethods.any { it.name == twin.name + "\$default" && it.parameterTypes[0] == twin.parameterTypes[0] }

    private fun fits(type: Class<*>, wanted: Class<*>): Boolean = type == wanted ||
        type.simpleName in forms[wanted].orEmpty() ||
        (wanted.simpleName.startsWith("Reactive") && holds(type, wanted)) ||
        (wanted.isPrimitive && type.kotlin.javaPrimitiveType == wanted)

    @Test
    fun `each verb of the reactive faces has a twin`() {
        val verbs = faces.flatMap(::verbs)
        val missing = verbs.filter { verb -> twins.none { isTwin(it, verb) } }
            .map { verb -> "${verb.declaringClass.simpleName}.${verb.name}(${verb.parameterTypes.joinToString { it.simpleName }})" }

        assertThat(faces).hasSizeGreaterThan(25)
        assertThat(verbs).hasSizeGreaterThan(150)
        assertThat(missing).containsExactlyInAnyOrderElementsOf(without.keys)
    }

    /** Thrown by a face that a twin has called. */
    private class Called(val verb: Method) : RuntimeException()

    /** Returns a value of a type: of an interface one whose verbs throw [Called], and whose other methods return such values. */
    private fun sample(type: Class<*>): Any = when {
        type.isPrimitive || type == Int::class.javaObjectType -> if (type == Long::class.java) 1L else 1
        type == String::class.java || type == Any::class.java -> "x"
        type == Duration::class.java -> Duration.ofSeconds(1)
        type == Instant::class.java -> Instant.EPOCH
        type == URI::class.java -> URI.create("x")
        type == Path::class.java -> Path.of("x")
        type == ByteArray::class.java -> ByteArray(0)
        type == InputStream::class.java -> InputStream.nullInputStream()
        type == OutputStream::class.java -> OutputStream.nullOutputStream()
        type == Map::class.java -> emptyMap<String, String>()
        type.isAssignableFrom(List::class.java) -> emptyList<String>()
        type == Function1::class.java -> { value: Any? -> value }
        type == Function2::class.java -> { value: Any?, _: Any? -> value }
        type == CoroutineContext::class.java -> EmptyCoroutineContext
        type == Flow::class.java -> emptyFlow<Any>()
        type == Continuation::class.java -> Continuation<Any?>(EmptyCoroutineContext) { }
        type.isInterface -> Proxy.newProxyInstance(type.classLoader, arrayOf(type)) { _, method, _ ->
            if (method.returnType == Mono::class.java || method.returnType == Flux::class.java) {
                throw Called(method)
            }
            sample(method.returnType)
        }
        else -> unsafe.allocateInstance(type)
    }

    private val unsafe = Unsafe::class.java.getDeclaredField("theUnsafe").apply { isAccessible = true }.get(null) as Unsafe

    private fun called(twin: Method): Method? = try {
        twin.invoke(null, *twin.parameterTypes.map(::sample).toTypedArray())
        null
    } catch (thrown: InvocationTargetException) {
        (thrown.cause as? Called ?: throw thrown).verb
    }

    @Test
    fun `each twin calls its verb`() {
        val verbs = faces.flatMap(::verbs)
        val paired = twins.filter { it.parameterCount > 0 && it.parameterTypes[0].isInterface }
            .associateWith { twin -> verbs.filter { isTwin(twin, it) } }
            .filterValues { it.isNotEmpty() }

        assertThat(paired).hasSizeGreaterThan(150)
        assertThat(paired.filter { (twin, matching) -> called(twin) !in matching }.map { (twin, _) -> "$twin calls ${called(twin)}" })
            .isEmpty()
    }

    @Test
    fun `no name of a twin is for a verb that does not exist`() {
        val keys = faces.flatMap(::verbs).map { "${it.declaringClass.simpleName}.${it.name}" }

        assertThat(keys).containsAll(names.keys)
    }

    @Test
    fun `what suspends is called await, and what is a flow is called flow`() {
        val written = twins.filter { '$' !in it.name }

        assertThat(written.filter { it.parameterTypes.lastOrNull() == Continuation::class.java })
            .allSatisfy { assertThat(it.name).matches("await.+|useSuspending") }
        assertThat(written.filter { it.returnType == Flow::class.java })
            .allSatisfy { assertThat(it.name).matches("flow.*|write") }
    }
}
