package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.testkit.memory.MemoryStorage
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Test
import java.lang.reflect.Executable
import java.lang.reflect.Modifier
import java.nio.ByteBuffer
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText

/** The code of the guide compiles and runs, and the list of the module's functions is that which is checked in. */
class DocumentedTest {
    private val root = Path.of("..").toAbsolutePath().normalize()
    private val memory = MemoryStorage.create()
    private val storage: Stowline =
        Stowline.builder().connectionString(memory.connectionString()).httpClient(memory.httpClient()).build()

    @AfterEach
    fun close() = storage.close()

    private fun lines(code: String) = code.lines().map { it.trim() }.filter { it.isNotEmpty() }.joinToString("\n")

    @Test
    fun `each snippet of the guide stands in a source that compiles`() {
        val compiled = root.resolve("kotlin/src/test/kotlin/io/stowline/kotlin").listDirectoryEntries()
            .joinToString("\n") { lines(it.readText()) }
        val snippets = Regex("```kotlin\n(.*?)```", RegexOption.DOT_MATCHES_ALL)
            .findAll(root.resolve("docs/kotlin.md").readText()).map { lines(it.groupValues[1]) }
            .filter { "implementation(" !in it }.toList()

        assertThat(snippets).hasSizeGreaterThan(8).allSatisfy { assertThat(compiled).contains(it) }
    }

    @Test
    fun `the code of the guide runs`() = runBlocking<Unit> {
        val code = Documented()
        code.register(storage)
        val runners = storage.table<Documented.Runner>("runners")
        assertThat(runners.awaitFind("2026", "0001")!!.value().age).isEqualTo(42)
        val cid = Documented.Runner("2026", "0003", "Cid", 70)
        code.writes(runners, Documented.Runner("2026", "0009", "Ann"), Documented.Runner("2026", "0002", "Bob"))
        code.load(runners, (10..300).asFlow().map { cid.copy(bib = "%04d".format(it)) })
        assertThat(runners.flow().toList()).hasSize(294)
        code.queries(runners)
        code.limits(runners, cid, cid)
        val photos = storage.container("photos")
        photos.awaitCreate()
        photos.awaitUpload(ByteArray(1), "2026/index")
        photos.awaitUpload(ByteArray(0), "leader")
        code.leases(photos)
        assertThat(String(photos.awaitDownload("2026/index"))).isEqualTo("[]")
        code.records(photos, flowOf(Documented.Visit("/", 3)))
        storage.queue<Documented.Order>("orders").awaitCreate()
        code.messages(storage, runners)
    }

    @Test
    fun `photos are uploaded and read as the guide does`() = runBlocking<Unit> {
        val photos = storage.container("photos")
        photos.awaitCreate()
        photos.awaitUpload(flowOf(ByteBuffer.wrap(ByteArray(1000))), "2026/0001.jpg")

        assertThat(photos.awaitDownload("2026/0001.jpg") { range(0, 512) }).hasSize(512)
        assertThat(photos.awaitSas("2026/0001.jpg") { canRead() }.uri().toString()).contains("sig=")
        val folder = Files.createTempDirectory("photos")
        Files.write(folder.resolve("a.jpg"), ByteArray(10))
        val report = photos.awaitUploadDirectory(folder, "new/").awaitEnd()
        assertThat(report.failed()).isZero()
        assertThat(photos.flowBlobs("new/").map { it.name() }.toList()).containsExactly("new/a.jpg")
    }

    /** After a change that is meant, `-Dapi.update=true` writes the list. */
    @Test
    fun `all public functions are listed`() {
        val classes = Path.of(Class.forName("io.stowline.kotlin.TablesKt").protectionDomain.codeSource.location.toURI())
            .resolve("io/stowline/kotlin").listDirectoryEntries("*Kt.class")
            .map { it.name.removeSuffix(".class") }.filter { '$' !in it && it != "InternalKt" }.sorted()
        val packages = Regex("\\b(?:[a-z]\\w*\\.)+(?=[A-Z])")
        val api = classes.joinToString("\n") { name ->
            val functions = Class.forName("io.stowline.kotlin.$name").declaredMethods
                .filter { Modifier.isPublic(it.modifiers) && !it.isSynthetic }
                .map { "    " + (it as Executable).toGenericString().replace(packages, "") }.sorted()
            name + "\n" + functions.joinToString("\n") + "\n"
        }
        val list = root.resolve("docs/internals/api-kotlin.txt")
        if (java.lang.Boolean.getBoolean("api.update")) {
            Files.writeString(list, api)
        }

        assertThat(list.readText().lines())
            .`as`("the functions in $list; if their change is meant, run this test with -Dapi.update=true")
            .isEqualTo(api.lines())
    }
}
