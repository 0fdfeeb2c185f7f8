package kotlin.jvm.internal;

/** Stands for Kotlin's own class, whose name tells the constructors that Kotlin's compiler adds. */
public final class DefaultConstructorMarker {

    private DefaultConstructorMarker() {}
}
