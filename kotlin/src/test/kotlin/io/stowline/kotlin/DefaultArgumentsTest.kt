package io.stowline.kotlin

import io.stowline.Stowline
import io.stowline.projection.Default
import io.stowline.projection.ETag
import io.stowline.projection.EntityType
import io.stowline.projection.Ignore
import io.stowline.projection.Nested
import io.stowline.projection.PartitionKey
import io.stowline.projection.Property
import io.stowline.projection.PropertyConversionException
import io.stowline.projection.RowKey
import io.stowline.projection.UnmappableTypeException
import io.stowline.table.Entity
import io.stowline.table.UnreadableEntityException
import io.stowline.testkit.memory.MemoryStorage
import kotlinx.coroutines.runBlocking
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatExceptionOfType
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource
import java.time.DayOfWeek
import java.util.Optional
import kotlin.reflect.KClass

/** Default arguments of Kotlin, honoured where a stored entity lacks a property. */
class DefaultArgumentsTest {
    data class Keys(@PartitionKey val pk: String, @RowKey val rk: String)

    data class One(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int)

    data class Member(
        @PartitionKey val pk: String,
        @RowKey val rk: String,
        val name: String = "unnamed",
        val age: Int = 18,
        val score: Double = 0.5,
        val active: Boolean = true,
        val total: Long = 1L shl 40,
        val nick: String? = null,
        val team: String? = "none",
        val greeting: String = "$name/$age",
        val day: DayOfWeek = DayOfWeek.SUNDAY,
        val phone: Optional<String> = Optional.of("112"),
    )

    data class Place(val city: String, val zip: String = "0000")

    data class Special(
        @PartitionKey val pk: String,
        @RowKey val rk: String,
        @ETag val etag: String = "fresh",
        @Ignore val lock: Any = "lock",
        @Nested val place: Place = Place("nowhere"),
        @Default("7") val both: Int = 8,
        @Default("far") val text: String = "near",
        val age: Int? = 5,
    )

    data class NoDefault(@PartitionKey val pk: String, @RowKey val rk: String, val name: String, val nick: String?)

    data class NoDefaultPrimitive(
        @PartitionKey val pk: String,
        @RowKey val rk: String,
        val age: Int,
        val other: Int = 3,
    )

    data class RequiredPlace(@PartitionKey val pk: String, @RowKey val rk: String, @Nested val place: Place)

    data class Overloaded @JvmOverloads constructor(
        @PartitionKey val pk: String,
        @RowKey val rk: String,
        val age: Int = 18,
        val name: String = "unnamed",
    )

    data class AllDefaults(@PartitionKey val pk: String = "p", @RowKey val rk: String = "r", val age: Int = 9)

    class Internal internal constructor(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18)

    data class Checked(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18) {
        init {
            require(age >= 18) { "too young: $age" }
        }
    }

    data class Generic<T>(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18) {
        val kind: T? = null
    }

    class Plain(@PartitionKey val pk: String, @RowKey val rk: String, var age: Int = 18)

    @Suppress("LongParameterList")
    data class Wide(
        @PartitionKey val pk: String, @RowKey val rk: String,
        val a01: Int = 1, val a02: String = "2", val a03: Int = 3, val a04: String = "4", val a05: Int = 5,
        val a06: String = "6", val a07: Int = 7, val a08: String = "8", val a09: Int = 9, val a10: String = "10",
        val a11: Int = 11, val a12: String = "12", val a13: Int = 13, val a14: String = "14", val a15: Int = 15,
        val a16: String = "16", val a17: Int = 17, val a18: String = "18", val a19: Int = 19, val a20: String = "20",
        val a21: Int = 21, val a22: String = "22", val a23: Int = 23, val a24: String = "24", val a25: Int = 25,
        val a26: String = "26", val a27: Int = 27, val a28: String = "28", val a29: Int = 29, val a30: String = "30",
        val a31: Int = 31, val a32: String = "32", val a33: Int = 33, val a34: String = "34", val a35: Int = 35,
        val a36: String = "36", val a37: Int = 37, val a38: String = "38", val a39: Int = 39, val a40: String = "40",
        val a41: Int = 41, val a42: String = "42", val a43: Int = 43, val a44: String = "44", val a45: Int = 45,
        val a46: String = "46", val a47: Int = 47, val a48: String = "48", val a49: Int = 49, val a50: String = "50",
        val a51: Int = 51, val a52: String = "52", val a53: Int = 53, val a54: String = "54", val a55: Int = 55,
        val a56: String = "56", val a57: Int = 57, val a58: String = "58", val a59: Int = 59, val a60: String = "60",
        val a61: Int = 61, val a62: String = "62", val a63: Long = 63, val a64: Double = 64.0, val a65: Boolean = true,
    )

    @JvmInline
    value class Bib(val text: String)

    data class WithValueClass(@PartitionKey val pk: String, val bib: Bib)

    data class WithDefaultValueClass(@PartitionKey val pk: String, val bib: Bib = Bib("1"))

    class Hidden private constructor(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18) {
        companion object {
            fun of(pk: String) = Hidden(pk, "r")
        }
    }

    class HiddenBehindSecondary private constructor(val pk: String, val rk: String, val age: Int) {
        constructor(@PartitionKey pk: String, @RowKey rk: String) : this(pk, rk, 5)
    }

    class ProtectedPrimary protected constructor(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18)

    class Secondary(@PartitionKey val pk: String, @RowKey val rk: String) {
        var age = 0

        constructor(pk: String, rk: String, age: Int = 18) : this(pk, rk) {
            this.age = age
        }
    }

    class OtherConstructor(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18) {
        constructor(number: Int) : this("p", "$number", number)
    }

    class Two(@PartitionKey val pk: String, @RowKey val rk: String, val age: Int = 18) {
        constructor(pk: String, rk: String, age: Long) : this(pk, rk, age.toInt())
    }

    data class Variable<T>(@PartitionKey val pk: String, val value: T? = null)

    @JvmRecord
    data class View(val name: String = "unnamed", val age: Int = 18)

    @JvmRecord
    data class Address(@Property("City") val city: String = "?", @Default("9") val zip: Int = 4)

    @JvmRecord
    data class Resident(
        @PartitionKey val pk: String,
        @RowKey val rk: String,
        @Nested val home: Address?,
        @Ignore val lock: String = "lock",
    )

    data class Contact(
        @PartitionKey val pk: String,
        @RowKey val rk: String,
        val phone: Optional<String>,
        @Nested val home: Optional<Place>,
        val mail: Optional<String>?,
        val team: Optional<String> = Optional.of("none"),
    )

    private val memory = MemoryStorage.create()
    private val storage: Stowline =
        Stowline.builder().connectionString(memory.connectionString()).httpClient(memory.httpClient()).build()
    private val keys = storage.table<Keys>("members")

    @BeforeEach
    fun store() = runBlocking<Unit> {
        keys.awaitCreate()
        keys.awaitInsert(Keys("p", "r"))
    }

    @AfterEach
    fun close() = storage.close()

    private inline fun <reified T : Any> read(): T = runBlocking { keys.view<T>().awaitFind("p", "r")!!.value() }

    @Test
    fun `a missing property is its default argument, which may name others, or null`() {
        val read = read<Member>()

        assertThat(read).isEqualTo(Member("p", "r"))
        assertThat(read.nick).isNull()
        assertThat(read.team).isEqualTo("none")
        assertThat(read.greeting).isEqualTo("unnamed/18")
    }

    @Test
    fun `a stored property goes before its default argument, zero and false too`() = runBlocking<Unit> {
        val ann = Member("p", "r", "", 0, 0.0, false, 0, "A", "T", "hi", DayOfWeek.MONDAY, Optional.of("1"))
        keys.view<Member>().awaitInsertOrReplace(ann)

        assertThat(read<Member>()).isEqualTo(ann)
        keys.view<One>().awaitInsertOrReplace(One("p", "r", 41))
        assertThat(read<Member>()).isEqualTo(Member("p", "r", age = 41))
        assertThat(read<Member>().greeting).isEqualTo("unnamed/41")
    }

    @Test
    fun `a null that was written comes back as the default argument, as an absent property does`() = runBlocking<Unit> {
        keys.view<Member>().awaitInsertOrReplace(Member("p", "r", team = null))

        assertThat(read<Member>().team).isEqualTo("none")
    }

    @Test
    fun `the annotation goes before the default argument, and unwritten components have theirs`() {
        val read = read<Special>()

        assertThat(read.both).isEqualTo(7)
        assertThat(read.text).isEqualTo("far")
        assertThat(read.lock).isEqualTo("lock")
        assertThat(read.etag).isNotEqualTo("fresh")
        assertThat(read.place).isEqualTo(Place("nowhere"))
        assertThat(read.age).isEqualTo(5)
    }

    @Test
    fun `a nested value has its own default arguments`() = runBlocking<Unit> {
        keys.view<Special>().awaitInsertOrMerge("p", "r") { set("place.city", "Bonn") }

        assertThat(read<Special>().place).isEqualTo(Place("Bonn"))
    }

    @Test
    fun `a mapping with zeros for missing properties leaves default arguments as they are`() = runBlocking<Unit> {
        val lenient = storage.table<NoDefaultPrimitive>("members") { zeroForMissing() }

        assertThat(lenient.awaitFind("p", "r")!!.value()).isEqualTo(NoDefaultPrimitive("p", "r", 0, 3))
    }

    @Test
    fun `a missing property without default argument is refused by its name`() {
        unreadable("property name is missing") { read<NoDefault>() }
        unreadable("in Kotlin a type with ? or a default argument") { read<NoDefault>() }
        unreadable("property age is missing") { read<NoDefaultPrimitive>() }
        unreadable("property place is missing") { read<RequiredPlace>() }
    }

    @Test
    fun `constructors of all kinds that Kotlin makes are found`() = runBlocking<Unit> {
        assertThat(read<Overloaded>()).isEqualTo(Overloaded("p", "r"))
        assertThat(read<AllDefaults>()).isEqualTo(AllDefaults("p", "r"))
        assertThat(read<Internal>().age).isEqualTo(18)
        assertThat(read<Checked>()).isEqualTo(Checked("p", "r"))
        assertThat(read<Generic<String>>()).isEqualTo(Generic<String>("p", "r"))
        assertThat(read<Plain>().age).isEqualTo(18)
        assertThat(read<Secondary>().age).isEqualTo(0)
        assertThat(read<OtherConstructor>().age).isEqualTo(18)
        keys.view<One>().awaitInsertOrReplace(One("p", "r", 21))
        assertThat(read<Overloaded>()).isEqualTo(Overloaded("p", "r", 21))
        assertThat(read<Plain>().age).isEqualTo(21)
    }

    @Test
    fun `more than 64 parameters have three masks`() = runBlocking<Unit> {
        assertThat(read<Wide>()).isEqualTo(Wide("p", "r"))
        keys.view<Wide>().awaitInsertOrMerge("p", "r") { set("a32", "x").set("a33", -1).set("a64", 0.0).set("a65", false) }
        assertThat(read<Wide>()).isEqualTo(Wide("p", "r", a32 = "x", a33 = -1, a64 = 0.0, a65 = false))
        val all = Wide("p", "r", a01 = 0, a31 = 0, a35 = 0, a62 = "", a63 = 0)
        keys.view<Wide>().awaitInsertOrReplace(all)
        assertThat(read<Wide>()).isEqualTo(all)
    }

    @Test
    fun `a record of Kotlin has default arguments, too`() {
        assertThat(EntityType.of(View::class.java).newReader().build()).isEqualTo(View())
    }

    @Test
    fun `the annotations of a record of Kotlin count`() = runBlocking<Unit> {
        val residents = keys.view<Resident>()
        residents.awaitInsertOrReplace(Resident("p", "r", Address("Rome", 1), "secret"))

        assertThat(storage.table("members").awaitFind("p", "r")!!.value().properties())
            .isEqualTo(mapOf("home_City" to "Rome", "home_zip" to 1))
        assertThat(read<Resident>()).isEqualTo(Resident("p", "r", Address("Rome", 1)))
        residents.awaitReplace(residents.awaitFind("p", "r")!!)
        assertThat(read<Resident>().home).isEqualTo(Address("Rome", 1))
        storage.table("members").awaitInsertOrReplace(Entity.builder("p", "r").set("home_City", "Oslo").build())
        assertThat(read<Resident>().home).isEqualTo(Address("Oslo", 9))
    }

    @Test
    fun `an empty Optional comes back as such, unless there is a default argument`() = runBlocking<Unit> {
        val written = Contact("p", "r", Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())
        keys.view<Contact>().awaitInsertOrReplace(written)

        assertThat(read<Contact>()).isEqualTo(written.copy(team = Optional.of("none")))
    }

    @Test
    fun `one value after the other has only its own defaults`() {
        val type = EntityType.of(View::class.java)
        val reader = type.newReader()
        reader.text(type.indexOf("name"), "Ann")
        reader.integer(type.indexOf("age"), 41)

        assertThat(reader.build()).isEqualTo(View("Ann", 41))
        assertThat(reader.build()).isEqualTo(View())
        reader.integer(type.indexOf("age"), 41)
        assertThat(reader.build()).isEqualTo(View(age = 41))
    }

    @ParameterizedTest
    @ValueSource(classes = [WithValueClass::class, WithDefaultValueClass::class])
    fun `a constructor with a value class, which Kotlin hides, is refused with what to do`(type: Class<*>) {
        refused(type.kotlin, "takes a value class")
    }

    @Test
    fun `private constructors and those that leave a choice are refused`() {
        for (type in listOf(Hidden::class, HiddenBehindSecondary::class, ProtectedPrimary::class)) {
            refused(type, "its primary constructor is private or protected")
        }
        refused(Two::class, "has 2 public constructors")
        refused(Variable::class, "component value")
    }

    private fun unreadable(reason: String, read: () -> Unit) {
        assertThatExceptionOfType(UnreadableEntityException::class.java).isThrownBy(read)
            .withMessageContaining(reason).withCauseInstanceOf(PropertyConversionException::class.java)
    }

    private fun refused(type: KClass<*>, reason: String) {
        assertThatExceptionOfType(UnmappableTypeException::class.java).isThrownBy { EntityType.of(type.java) }
            .withMessageContaining(reason)
    }
}
