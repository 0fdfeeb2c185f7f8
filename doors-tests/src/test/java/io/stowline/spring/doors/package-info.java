/** Tests of the starter with every optional library on the class path. Each application of the documents runs here as it is printed. */
@org.jspecify.annotations.NullMarked
package io.stowline.spring.doors;
